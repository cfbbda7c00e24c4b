-- The words of a call, for finding it again. Beside the words, which hold letters and digits only, stands one entry for
-- the account and the mode (`acc_...:test`): the index then answers for one account alone, however many there are.
create table transcript_words (
  call_id text primary key references calls,
  words tsvector not null
);
-- Written as calls end, a row each. Without `fastupdate` no call pays for the words of many others.
create index transcript_words_by_word on transcript_words using gin (words) with (fastupdate = off);
