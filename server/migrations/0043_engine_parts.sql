-- What a call used of each part of its engine, with its cost at the rates of that moment.
alter table calls add column engine_parts jsonb;

-- What vendors charge the operator. A unit without a row has no known price.
create table provider_rates (
  provider text not null,
  unit text not null check (unit in ('recognition_minute', 'synthesis_1000_characters', 'input_1m_tokens', 'output_1m_tokens')),
  price_micros bigint not null check (price_micros >= 0),
  primary key (provider, unit)
);
