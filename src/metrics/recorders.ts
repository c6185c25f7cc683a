/* Plain maps save memory: prom-client is loaded only on the first scrape. */

export type Labels = Record<string, string>;

export interface Sample {
  /** If other than the metric's own name: `..._bucket`. */
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/** Values are in base units (seconds, bytes). */
export interface Recorder {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  samples(): Sample[];
}

export class Value implements Recorder {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly string[];
  private readonly series = new Map<string, { labels: Labels; value: number }>();

  constructor(type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[] = []) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labels = labels;
    // A counter must start at 0 for rates to be right. With labels, its series are unknown.
    if (type === 'counter' && labels.length === 0) this.add(0);
  }

  add(amount: number, labels: Labels = {}): void {
    const key = Object.values(labels).join('\n');
    const known = this.series.get(key);
    if (known) known.value += amount;
    else this.series.set(key, { labels, value: amount });
  }

  set(value: number, labels: Labels = {}): void {
    this.series.set(Object.values(labels).join('\n'), { labels, value });
  }

  clear(): void {
    this.series.clear();
  }

  samples(): Sample[] {
    return [...this.series.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface Distribution {
  labels: Labels;
  /** Per bucket, not cumulative; the last counts values above every bound. */
  counts: number[];
  sum: number;
}

export class Histogram implements Recorder {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly labels: readonly string[];
  private readonly bounds: readonly number[];
  private readonly series = new Map<string, Distribution>();

  constructor(name: string, help: string, bounds: readonly number[], labels: readonly string[] = []) {
    this.name = name;
    this.help = help;
    this.bounds = bounds;
    this.labels = labels;
  }

  observe(value: number, labels: Labels = {}): void {
    const key = Object.values(labels).join('\n');
    let found = this.series.get(key);
    if (!found) {
      found = { labels, counts: Array.from({ length: this.bounds.length + 1 }, () => 0), sum: 0 };
      this.series.set(key, found);
    }
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    found.counts[bucket === -1 ? this.bounds.length : bucket]! += 1;
    found.sum += value;
  }

  samples(): Sample[] {
    return [...this.series.values()].flatMap(({ labels, counts, sum }) => {
      let upTo = 0;
      const buckets = counts.map((count, at) => {
        upTo += count;
        return { metricName: `${this.name}_bucket`, labels: { ...labels, le: this.bounds[at] ?? '+Inf' }, value: upTo };
      });
      return [
        ...buckets,
        { metricName: `${this.name}_sum`, labels, value: sum },
        { metricName: `${this.name}_count`, labels, value: upTo },
      ];
    });
  }
}
