/** Chance that can be had again: the same seed makes the same choices. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True in this share of cases. */
  chance(share: number): boolean;
  oneOf<T>(list: readonly T[]): T;
}

/** Mulberry32: small, fast, and even enough to choose requests. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    oneOf: (list) => {
      if (list.length === 0) throw new Error('there is nothing to choose from');
      return list[below(list.length)]!;
    },
  };
}
