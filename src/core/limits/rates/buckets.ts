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

/** Token buckets (RFC 2697) of this process. Each node has its own. */
export interface Buckets {
  /** Takes a token of each bucket, or none. Null: taken; else the first one that lacks a token. */
  takeEach(buckets: readonly Bucket[]): LackingBucket | null;
  /** How many a bucket has. */
  tokens(name: string, rate: Rate): number;
}

/** The rates that all addresses share. */
export interface SharedRates {
  all: Rate;
  /**
   * An address within this rate takes from a second bucket, which only very many networks together
   * can empty.
   */
  quiet: Rate;
}

/**
 * The buckets that an address may take from, in order: the first group in which each has a token
 * counts.
 */
export function sharesOf(name: string, address: string, { all, quiet }: SharedRates): Bucket[][] {
  // A customer has many networks of IPv6.
  const network = address.replace(/^((?:[\da-f]+:){3})[\da-f]+::\/64$/, '$1:/48');
  const ofQuiet = [
    { name: `${name} of quiet ${network}`, rate: quiet },
    { name: `${name} of the quiet`, rate: all },
  ];
  return [ofQuiet, [{ name, rate: all }]];
}

/** What is counted: each use has names of its own. */
export type BucketUse = 'requests' | 'invalid keys' | 'new keys' | 'oauth' | 'tests' | 'gaps';
