"""Files become pieces, pieces become shards: read, cut, given to processes, and gone on with after
a stop. What a shard holds is for others to say: `npn corpus` tracks, `npn prepare` labels."""
