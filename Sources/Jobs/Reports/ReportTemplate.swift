/// The page as Mustache templates; constants, so that the program needs no file beside it.
enum ReportTemplate {
  static let page = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{{title}} {{as_of}}</title>
    <style>{{{style}}}</style>
    </head>
    <body>
    <header>
    <div><h1>{{title}}</h1><p class="sub">{{subtitle}}</p></div>
    <dl><dt>As of</dt><dd>{{as_of}}</dd><dt>Run</dt><dd>{{run_id}}</dd></dl>
    </header>
    <section class="verdict {{verdict}}">
    <strong>{{verdict_text}}</strong>
    {{#reasons}}<span>{{.}}</span>
    {{/reasons}}
    </section>
    <section class="figures">
    {{#figures}}
    <div class="{{class}}"><h2>{{label}}</h2><b>{{value}}</b><small>{{note}}</small></div>
    {{/figures}}
    </section>
    <section class="charts">
    {{#charts}}
    <figure><figcaption>{{title}}</figcaption>{{{svg}}}</figure>
    {{/charts}}
    </section>
    {{#sections}}
    {{>table}}
    {{/sections}}
    <footer>payrecon {{code_version}} · settings {{settings}} · hashes of all files in manifest.json</footer>
    </body>
    </html>

    """

  static let table = """
    <section class="block">
    <h2>{{title}}</h2>
    <p class="note">{{note}}</p>
    {{#has_rows}}
    <div class="scroll"><table>
    <thead><tr>{{#head}}<th class="{{class}}" scope="col">{{text}}</th>{{/head}}</tr></thead>
    <tbody>
    {{#rows}}
    <tr class="{{class}}">{{#cells}}<td class="{{class}}">{{text}}{{#has_small}}<small>{{small}}</small>\
    {{/has_small}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody>
    </table></div>
    {{/has_rows}}
    {{^has_rows}}<p class="empty">{{empty}}</p>{{/has_rows}}
    </section>

    """

  static let style = """

    :root{--ink:#1c2430;--soft:#5b6675;--line:#dde2e8;--paper:#fff;--panel:#f6f8fa;--accent:#2f5d8a;
    --good:#1b7a43;--warn:#9a6200;--alarm:#b3261e;--goodbg:#e8f5ec;--warnbg:#fdf3e0;--alarmbg:#fcebe9;
    --c1:#2f5d8a;--c2:#5f9bc9;--c3:#a9c7e0;--c4:#d08b2c;--c5:#b3261e;--c6:#9aa5b1}
    @media (prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#9aa5b3;--line:#333c48;--paper:#14181e;
    --panel:#1c222a;--accent:#7fb0dd;--good:#6cc58f;--warn:#e0aa4e;--alarm:#f08a80;
    --goodbg:#16281d;--warnbg:#2c2413;
    --alarmbg:#321b19;--c1:#7fb0dd;--c2:#4f86b5;--c3:#365a7a;--c4:#d9a04e;--c5:#f08a80;--c6:#6d7885}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1280px;padding:28px 24px 40px;background:var(--paper);color:var(--ink);
    font:13px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
    font-variant-numeric:tabular-nums lining-nums}
    header{display:flex;justify-content:space-between;gap:24px;align-items:flex-end}
    h1{font-size:24px;line-height:1.2;margin:0}
    h2{font-size:15px;margin:0}
    .sub,.note{color:var(--soft);margin:4px 0 0}
    header dl{display:grid;grid-template-columns:auto auto;gap:0 10px;margin:0;font-size:12px}
    dt{color:var(--soft)} dd{margin:0;text-align:right}
    .verdict{margin:18px 0;padding:12px 16px;border-left:5px solid var(--accent);background:var(--panel);
    border-radius:4px}
    .verdict strong{display:block;font-size:15px}
    .verdict span{display:block;color:var(--soft)}
    .verdict.clean{border-color:var(--good);background:var(--goodbg)}
    .verdict.pending,.verdict.warnings{border-color:var(--warn);background:var(--warnbg)}
    .verdict.breaks,.verdict.incomplete,.verdict.failed{border-color:var(--alarm);background:var(--alarmbg)}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px}
    .figures div{border:1px solid var(--line);border-radius:6px;padding:10px 12px;background:var(--paper)}
    .figures h2{font-size:12px;font-weight:500;color:var(--soft)}
    .figures b{display:block;font-size:24px;line-height:1.25;font-weight:600;white-space:pre-line}
    .figures .list b{font-size:14px;line-height:1.35}
    .figures .good b,td.good{color:var(--good)} .figures .alarm b,td.alarm{color:var(--alarm);font-weight:600}
    .figures small{color:var(--soft)}
    .charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:12px;margin-top:12px}
    figure{margin:0;border:1px solid var(--line);border-radius:6px;padding:10px 12px}
    figcaption{font-weight:600;margin-bottom:6px}
    svg{display:block;width:100%;height:auto} svg text{fill:var(--soft);font-size:11px}
    svg .v{fill:var(--ink)}
    svg .band{fill:var(--c4);opacity:.15}
    svg .axis{stroke:var(--line)} svg .l1{fill:none;stroke:var(--c1);stroke-width:2}
    svg .l2{fill:none;stroke:var(--c4);stroke-width:2;stroke-dasharray:4 3}
    .k1{fill:var(--c1)}.k2{fill:var(--c2)}.k3{fill:var(--c3)}
    .k4{fill:var(--c4)}.k5{fill:var(--c5)}.k6{fill:var(--c6)}
    .block{margin-top:28px}
    .scroll{overflow-x:auto;margin-top:8px}
    table{border-collapse:collapse;width:100%;font-size:12px}
    th{font-weight:600;color:var(--soft);text-align:left;vertical-align:bottom;padding:5px 8px;
    border-bottom:2px solid var(--line)}
    td{padding:5px 8px;border-bottom:1px solid var(--line);vertical-align:top}
    td small{display:block;color:var(--soft);font-size:11px;line-height:1.35;font-weight:400}
    td.n,th.n{text-align:right} td.n{white-space:nowrap} td.zero{color:var(--soft)} td.total{font-weight:600}
    td.id{overflow-wrap:break-word} td.id small{font-size:10.5px}
    tr.first td{border-top:1px solid var(--soft)} tr:first-child.first td{border-top:0}
    tr.sum td{font-weight:600;border-top:2px solid var(--line);border-bottom:0}
    tr.done td{color:var(--soft)}
    td.severity{white-space:nowrap} td.critical{color:var(--alarm);font-weight:700}
    td.high{color:var(--alarm)} td.medium{color:var(--warn)} td.low{color:var(--soft)}
    td.fix{white-space:nowrap} td.late small{color:var(--alarm)}
    td:first-child{white-space:nowrap} tr.detail td:first-child{white-space:normal}
    .empty{color:var(--soft);font-style:italic}
    footer{margin-top:32px;padding-top:10px;border-top:1px solid var(--line);color:var(--soft);font-size:11px}
    @media (max-width:760px){.charts{grid-template-columns:1fr}
    header{flex-direction:column;align-items:flex-start}
    dd{text-align:left}}
    @page{size:A4 landscape;margin:12mm}
    @media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--panel:#fff}
    body{max-width:none;padding:0;font-size:10px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
    table{font-size:9px} td small{font-size:8px} td,th{padding:3px 5px} .scroll{overflow:visible}
    thead{display:table-header-group} tr,figure,.figures div,.verdict{break-inside:avoid}
    .figures{grid-template-columns:repeat(auto-fit,minmax(118px,1fr))} .figures b{font-size:18px}
    .figures .list b{font-size:11px} .figures h2{font-size:10px} h2,.block h2{font-size:13px}
    td.id small{font-size:8px}
    h2,.note{break-after:avoid}}

    """
}
