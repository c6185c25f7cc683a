export interface Rate {
  /** Above 0. */
  perMinute: number;
  burst: number;
}

export interface Bucket {
  name: string;
  rate: Rate;
}

export interface LackingBucket {
  /** Its index among those asked. */
  index: number;
  /** Seconds until it has a token. */
  retryAfter: number;
}

/** Token buckets (RFC 2697): of this process, or of all nodes. */
export interface Buckets {
  /**
   * Takes a token of each bucket, or none. Null: taken; else the first one that lacks a token. A promise only where the
   * answer must come from the database.
   */
  takeEach(buckets: readonly Bucket[]): LackingBucket | null | Promise<LackingBucket | null>;
  /** How many a bucket has. */
  tokens(name: string, rate: Rate): number | Promise<number>;
}

/** What is counted: each use has names of its own. */
export type BucketUse = 'requests' | 'invalid keys' | 'new keys' | 'oauth' | 'tests' | 'gaps';
