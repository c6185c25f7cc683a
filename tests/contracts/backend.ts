import type { TestContext } from 'node:test';

export interface StateBackend<Stores extends object> {
  name: string;
  directory(t: TestContext): string;
  /** Opens a backend with the tenants `one` and `two`; the same directory keeps its contents. */
  open(directory: string): Promise<Stores & { close(): Promise<void> }>;
}

/** A database of state that a test opens once. */
export interface StoreBackend<Store> {
  name: string;
  /** Opens an empty backend that knows the tenants `one` and `two`. It is closed after the test. */
  open(t: TestContext): Promise<Store>;
}

/** The stores at a new place, or at this one, until the test ends. */
export async function openStores<Stores extends object>(
  { directory, open }: StateBackend<Stores>,
  t: TestContext,
  at = directory(t),
): Promise<Stores & { close(): Promise<void>; at: string }> {
  const stores = await open(at);
  t.after(() => stores.close());
  return { ...stores, at };
}
