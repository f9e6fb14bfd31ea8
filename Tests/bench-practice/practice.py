"""Matching as somebody with a dataframe would write it: exact keys and duplicates only. Prints seconds and pairs.

usage: practice.py duckdb|polars ORDERS.parquet CHARGES.parquet OUT   or   practice.py convert CSV PARQUET
"""
import os
import sys
import time

import duckdb
import polars as pl


def convert(source, target):
    """CSV with a header row as Parquet, every column text but money."""
    duckdb.execute(f"""
        copy (select * replace (price_milliunits::bigint as price_milliunits)
              from read_csv('{source}', header = true, all_varchar = true)) to '{target}' (format parquet)""")


def by_duckdb(orders, charges, out):
    base = duckdb.connect()
    base.execute(f"create view orders as select * from '{orders}'")
    base.execute(f"create view charges as select * from '{charges}'")
    base.execute("""
        create temp table pair as
        with named as (
            select orders.order_id, charges.charge_id, 'transaction' as rule
            from orders join charges on charges.transaction_id = orders.transaction_id
        ),
        by_token as (
            select orders.order_id, charges.charge_id, 'token' as rule
            from orders join charges
                on charges.app_account_token = orders.app_account_token and charges.product_id = orders.product_id
            where orders.order_id not in (select order_id from named)
                and charges.charge_id not in (select charge_id from named)
        )
        select * from named union all select * from by_token""")
    base.execute(f"""
        copy (
            with counted as (
                select *, count(*) over (partition by order_id) as charges, count(*) over (partition by charge_id) as orders
                from pair
            )
            select 'match' as what, order_id, charge_id from counted where charges = 1 and orders = 1
            union all select 'duplicate', order_id, charge_id from counted where charges > 1 or orders > 1
            union all select 'amount', pair.order_id, pair.charge_id
            from pair join orders using (order_id) join charges using (charge_id)
            where orders.price_milliunits <> charges.price_milliunits
            union all select 'order alone', order_id, null from orders anti join pair using (order_id)
            union all select 'charge alone', null, charge_id from charges anti join pair using (charge_id)
        ) to '{out}' (format parquet)""")


def by_polars(orders, charges, out):
    order, charge = pl.scan_parquet(orders), pl.scan_parquet(charges)
    named = order.join(charge, on="transaction_id", how="inner").select("order_id", "charge_id")
    by_token = (
        order.join(named, on="order_id", how="anti")
        .join(charge.join(named, on="charge_id", how="anti"), on=["app_account_token", "product_id"], how="inner")
        .select("order_id", "charge_id"))
    pair = pl.concat([named, by_token]).collect().lazy()
    counted = pair.with_columns(
        pl.len().over("order_id").alias("charges"), pl.len().over("charge_id").alias("orders"))
    is_single = (pl.col("charges") == 1) & (pl.col("orders") == 1)

    def labelled(frame, what):
        return frame.select(pl.lit(what).alias("what"), "order_id", "charge_id")

    prices = (
        pair.join(order.select("order_id", "price_milliunits"), on="order_id")
        .join(charge.select("charge_id", pl.col("price_milliunits").alias("charged")), on="charge_id"))
    pl.concat([
        labelled(counted.filter(is_single), "match"),
        labelled(counted.filter(~is_single), "duplicate"),
        labelled(prices.filter(pl.col("price_milliunits") != pl.col("charged")), "amount"),
        labelled(order.join(pair, on="order_id", how="anti").with_columns(pl.lit(None, pl.String).alias("charge_id")),
             "order alone"),
        labelled(charge.join(pair, on="charge_id", how="anti").with_columns(pl.lit(None, pl.String).alias("order_id")),
             "charge alone"),
    ]).collect().write_parquet(out)


def main():
    if sys.argv[1] == "convert":
        convert(*sys.argv[2:4])
        return
    orders, charges, out = sys.argv[2:5]
    begun = time.monotonic()
    {"duckdb": by_duckdb, "polars": by_polars}[sys.argv[1]](orders, charges, out)
    seconds = time.monotonic() - begun
    pairs = pl.scan_parquet(out).filter(pl.col("what") == "match").select(pl.len()).collect().item()
    os.remove(out)
    print(f"{seconds:.3f} {pairs}")


if __name__ == "__main__":
    main()
