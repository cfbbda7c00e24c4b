-- How the sound of a call was: the estimated opinion score of what we heard, what was lost and how unsteadily it came.
alter table calls add column quality jsonb;
