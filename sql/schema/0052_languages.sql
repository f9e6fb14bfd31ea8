-- purpose: the language that an account of the console chose to read its pages in.

-- None for an account that goes by its browser.
create table payrecon.console_languages (
    account text collate "C" not null,
    language text collate "C" not null,
    constraint console_languages_pkey primary key (account),
    constraint console_languages_language check (language in ('en', 'zh-Hans', 'ja', 'ru'))
);
