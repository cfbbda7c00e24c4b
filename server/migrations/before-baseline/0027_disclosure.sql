-- What agents without words of their own say of themselves. Null leaves it to the service's words.

alter table accounts
  add column disclosure text check (char_length(disclosure) between 1 and 500);
