-- purpose: an order may carry the hash of the text that a notification was posted in: that text is what its signed item lay in.

-- batch_id: what brought it, where the parent is such a text, which is no evidence itself; null where the parent is evidence.
alter table payrecon.evidence_links add column batch_id bigint;
