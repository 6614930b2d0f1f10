-- Which turn answered a message, so that whoever asks for it later can be told what was said.

alter table inbox add column turn int;
