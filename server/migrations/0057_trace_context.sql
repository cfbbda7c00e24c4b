-- The traceparent (W3C Trace Context) under which a call was accepted, so that all processes add to one trace. Null where nothing is traced.
alter table calls add column trace_context text;
