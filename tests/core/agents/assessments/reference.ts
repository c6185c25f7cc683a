import type { Weight } from '../../../../src/core/agents/assessments/kappa.ts';

/*
 * Kappa a second time, without tables of shares: what is expected by chance is the average weight of an answer to one
 * item beside an answer to any item, itself among them.
 */

/** The category that each assessor chose for an item. */
export type Item = ReadonlyMap<string, number>;

export function referenceKappa(all: readonly Item[], weight: Weight): number {
  const items = all.filter((item) => item.size >= 2);
  const pairOf = (item: Item) => [...item.keys()].sort().join('\n');
  const isCohen = items.every((item) => item.size === 2 && pairOf(item) === pairOf(items[0]!));
  return isCohen ? cohen(items, weight) : fleiss(items, weight);
}

function cohen(items: readonly Item[], weight: Weight): number {
  const [first, second] = [...items[0]!.keys()].sort() as [string, string];
  const observed = mean(items.map((item) => weight(item.get(first)!, item.get(second)!)));
  const expected = mean(items.flatMap((one) => items.map((other) => weight(one.get(first)!, other.get(second)!))));
  return 1 - (1 - observed) / (1 - expected);
}

function fleiss(items: readonly Item[], weight: Weight): number {
  const observed = mean(
    items.map((item) =>
      mean(
        [...item].flatMap(([one, category]) =>
          [...item].filter(([other]) => other !== one).map(([, beside]) => weight(category, beside)),
        ),
      ),
    ),
  );
  const expected = mean(
    items.flatMap((one) =>
      items.map((other) =>
        mean([...one.values()].flatMap((category) => [...other.values()].map((beside) => weight(category, beside)))),
      ),
    ),
  );
  return 1 - (1 - observed) / (1 - expected);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The 95 % interval of the plain bootstrap: items are drawn with replacement. */
export function plainInterval(items: readonly Item[], weight: Weight, random: () => number): [number, number] {
  const found = Array.from({ length: 1_000 }, () =>
    referenceKappa(
      items.map(() => items[Math.floor(random() * items.length)]!),
      weight,
    ),
  ).sort((one, other) => one - other);
  return [found[25]!, found[974]!];
}

/** Two assessors by a table of how often they chose which pair. */
export function itemsOfTable(table: readonly (readonly number[])[]): Item[] {
  return table.flatMap((row, one) =>
    row.flatMap((times, other) =>
      Array.from(
        { length: times },
        () =>
          new Map([
            ['ada', one],
            ['bob', other],
          ]),
      ),
    ),
  );
}

/** Items by how many assessors chose which category. */
export function itemsOfCounts(rows: readonly (readonly number[])[]): Item[] {
  return rows.map((counts) => {
    const chosen = counts.flatMap((times, category) => new Array<number>(times).fill(category));
    return new Map(chosen.map((category, index) => [`assessor ${index}`, category]));
  });
}
