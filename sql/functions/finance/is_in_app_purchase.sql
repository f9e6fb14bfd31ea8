-- purpose: Returns whether lines of a product type are money from purchases inside an app. Restored purchases (IA3) carry no
--          money; paid apps and bundles are out of scope.
create or replace function payrecon.is_in_app_purchase(product_type text) returns boolean
language sql immutable parallel safe
return (product_type like 'IA%' or product_type like 'FI%') and product_type not like 'IA3%';
