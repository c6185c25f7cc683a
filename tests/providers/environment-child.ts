import { askAt, OFFERS, readAll } from './support.ts';

/* Asks every offer once, in whatever environment it is started. The one argument is where each is, as JSON by its name. */

const baseUrls = JSON.parse(process.argv[2]!) as Record<string, string>;

for (const offer of OFFERS) {
  const { events } = await askAt(offer, baseUrls[offer.name]!);
  const { text, fault } = await readAll(events);
  if (fault) throw fault;
  process.stdout.write(`${offer.name}: ${text}\n`);
}
