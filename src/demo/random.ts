/** Seeded: a name gives the same draws in every process, time zone and locale. */
export class Random {
  private state: number;

  constructor(name: string) {
    this.state = hash(name);
  }

  /** Uniform in [0, 1): mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Standard normal: Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  logNormal({ median, spread }: LogNormal): number {
    return median * Math.exp(spread * this.normal());
  }

  position(shares: readonly number[]): number {
    return positionAt(this.next(), shares);
  }

  key<Key extends string>(table: Shares<Key>): Key {
    return keyAt(this.next(), table);
  }

  one<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.next() * items.length)]!;
  }
}

export interface LogNormal {
  median: number;
  /** Standard deviation of the logarithm. p95 is 2.3 times the median at 0.5, 3.7 at 0.8. */
  spread: number;
}

export type Shares<Key extends string> = Readonly<Record<Key, number | { share: number }>>;

export function keyAt<Key extends string>(fraction: number, table: Shares<Key>): Key {
  const keys = Object.keys(table) as Key[];
  const shares = keys.map((key) => {
    const row = table[key];
    return typeof row === 'number' ? row : row.share;
  });
  return keys[positionAt(fraction, shares)]!;
}

function positionAt(fraction: number, shares: readonly number[]): number {
  let rest = fraction * shares.reduce((sum, share) => sum + share, 0);
  const found = shares.findIndex((share) => {
    rest -= share;
    return rest < 0;
  });
  return found === -1 ? shares.length - 1 : found;
}

/** Roberts' R2 sequence: its multiples modulo 1 fill the square evenly. */
const EVEN_STEPS = [0.7548776662466927, 0.5698402909980532] as const;

/** A low-discrepancy sequence. Its start depends on the name. */
export function evenPair(name: string, place: number): [number, number] {
  const offset = new Random(name);
  const at = (step: number) => (offset.next() + place * step) % 1;
  return [at(EVEN_STEPS[0]), at(EVEN_STEPS[1])];
}

/** FNV-1a and MurmurHash3's finalizer: similar names give unrelated streams. */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    value = Math.imul(value ^ name.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
