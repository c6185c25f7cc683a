import { askAt, OFFERS, readAll } from './support.ts';

/*
 * Calls every offer once, in any environment. The argument is a JSON object with their addresses by
 * name.
 */

const baseUrls = JSON.parse(process.argv[2]!) as Record<string, string>;

for (const offer of OFFERS) {
  const { events } = await askAt(offer, baseUrls[offer.name]!);
  const { text, fault } = await readAll(events);
  if (fault) throw fault;
  process.stdout.write(`${offer.name}: ${text}\n`);
}
