export type ResolverCounters = {
  redisHits: number;
  redisMisses: number;
  /** Values older than the visit already knew of. */
  redisOutdated: number;
  /** Removed values that could not be served, written by hand or by a broken build. */
  redisUnusable: number;
  redisFailures: number;
  /** Visits that did not ask Redis, because it had failed. */
  redisSkipped: number;
  redisFillFailures: number;
  postgresHits: number;
  postgresMisses: number;
  postgresFailures: number;
  postgresQueries: number;
  /** Links that a read replica answered; those above are the primary's then. */
  replicaHits: number;
  /** Links of a replica that were older than the visit or a change message knew of, so that the primary was asked. */
  replicaOutdated: number;
  /** Reads sent to the primary because the replica's lag was too large or unknown. */
  replicaLagging: number;
  /** Reads, or tries to read, that failed. */
  replicaFailures: number;
  /** Reads that went to the primary because every replica had failed and was left alone. */
  replicaSkipped: number;
  /** The replicaHits with unknown lag, used because the primary did not answer. */
  replicaUnchecked: number;
  replicaQueries: number;
};

export function noCounts(): ResolverCounters {
  return {
    redisHits: 0,
    redisMisses: 0,
    redisOutdated: 0,
    redisUnusable: 0,
    redisFailures: 0,
    redisSkipped: 0,
    redisFillFailures: 0,
    postgresHits: 0,
    postgresMisses: 0,
    postgresFailures: 0,
    postgresQueries: 0,
    replicaHits: 0,
    replicaOutdated: 0,
    replicaLagging: 0,
    replicaFailures: 0,
    replicaSkipped: 0,
    replicaUnchecked: 0,
    replicaQueries: 0,
  };
}
