-- Which revision of the draft is the published one, so that a newer draft can be told from one that is out already.

alter table agents add column published_revision integer;

update agents a set published_revision = a.revision
from agent_versions v
where v.agent_id = a.id and v.version = a.published_version
  and v.flow = a.flow and v.engine is not distinct from a.engine and v.language = a.language;
