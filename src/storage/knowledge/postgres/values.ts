/**
 * Values of a statement that is put together, in order. Each method stores one and returns its
 * placeholder.
 */
export class Values {
  readonly bound: unknown[] = [];

  text(value: string): string {
    return `${this.add(value)}::text`;
  }

  json(value: number | boolean): string {
    return `${this.add(JSON.stringify(value))}::jsonb`;
  }

  integer(value: number): string {
    return `${this.add(value)}::bigint`;
  }

  list(type: 'text' | 'jsonb' | 'bigint', values: readonly unknown[]): string {
    return `${this.add(values)}::${type}[]`;
  }

  private add(value: unknown): string {
    this.bound.push(value);
    return `$${this.bound.length}`;
  }
}
