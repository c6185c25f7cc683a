import { randomNumbers } from '../random.ts';

/** Chance that can be had again: the same seed makes the same choices. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True in this share of cases. */
  chance(share: number): boolean;
  oneOf<T>(list: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  const next = randomNumbers(seed);
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
