import { measureDedup } from './dedup-measure.ts';
import { measureTenants } from './tenants-measure.ts';

/* The process behind `measureApart`: one measurement, and its end. */

const measurements = { tenants: measureTenants, dedup: measureDedup };

export type Measurements = typeof measurements;

export type ApartReply<Name extends keyof Measurements> =
  | { result: Awaited<ReturnType<Measurements[Name]>> }
  | { error: string };

interface Order {
  name: keyof Measurements;
  input: never;
}

process.once('message', async ({ name, input }: Order) => {
  try {
    process.send?.({ result: await measurements[name](input) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  process.disconnect();
  process.exit(0);
});
