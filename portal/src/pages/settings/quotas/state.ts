import type { Schemas } from '../../../api/schemas.ts';
import { numberOf } from '../../../editor/values.ts';
import { LOCALE, t } from '../../../language/index.ts';

export type QuotaUsage = Schemas['QuotaUsage'];
export type QuotaName = QuotaUsage['quota'];
export type Limits = Schemas['TenantQuotas']['limits'];

/** The tenant, or a key of it: each has limits of its own. */
export type Owner = { kind: 'tenant' } | { kind: 'key'; id: string; label: string };

interface Words {
  label: string;
  help: string;
  /** Fields of bytes hold megabytes. */
  unit: 'events' | 'requests' | 'tokens' | 'bytes' | 'dollars';
}

const MEGABYTE = 1_000_000;

export const WORDS: Record<QuotaName, Words> = {
  events: { label: t('Stored events'), help: t('Ingesting more is refused.'), unit: 'events' },
  documents: { label: t('Stored documents'), help: t('Files in vector stores.'), unit: 'bytes' },
  deliveries: { label: t('Waiting messages'), help: t('Of alerts and digests. By default 64 MB.'), unit: 'bytes' },
  'requests-per-minute': {
    label: t('Requests a minute'),
    help: t('In place of the server’s rate.'),
    unit: 'requests',
  },
  'tokens-per-day': { label: t('Tokens a day'), help: t('Input and output of chats.'), unit: 'tokens' },
  'tokens-per-month': { label: t('Tokens a month'), help: t('Input and output of chats.'), unit: 'tokens' },
  'cost-per-day': { label: t('Cost a day'), help: t('Of chats, by the price of the model.'), unit: 'dollars' },
  'cost-per-month': {
    label: t('Cost a month'),
    help: t('Of chats, by the price of the model.'),
    unit: 'dollars',
  },
};

const OF_TENANT = Object.keys(WORDS) as QuotaName[];

export function quotasOf(owner: Owner): QuotaName[] {
  return owner.kind === 'tenant' ? OF_TENANT : OF_TENANT.slice(OF_TENANT.indexOf('requests-per-minute'));
}

const isBytes = (quota: QuotaName) => WORDS[quota].unit === 'bytes';

const dollars = (digits: number) =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: digits });

/** "$2.50", "1,200", "1.5 MB" */
export function amountOf(quota: QuotaName, amount: number): string {
  if (WORDS[quota].unit === 'dollars') return dollars(amount !== 0 && amount < 1 ? 6 : 2).format(amount);
  if (!isBytes(quota)) return amount.toLocaleString(LOCALE);
  return `${(amount / MEGABYTE).toLocaleString(LOCALE, { maximumFractionDigits: 2 })} MB`;
}

/** The amounts as texts; empty: no limit. */
export type Form = Record<QuotaName, string>;

export function formOf(limits: Limits): Form {
  const texts = OF_TENANT.map((quota) => {
    const limit = limits[quota];
    if (limit === undefined) return [quota, ''];
    return [quota, String(isBytes(quota) ? limit / MEGABYTE : limit)];
  });
  return Object.fromEntries(texts) as Form;
}

/** How a text is read, as the page shows amounts: "100.000" must not be stored as 100 without a word. */
export function readAs(quota: QuotaName, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const amount = amountFrom(quota, text);
  if (typeof amount !== 'number') {
    return isWhole(quota) ? t('Write digits alone: 100000.') : t('Write digits and a point: 2.5.');
  }
  switch (WORDS[quota].unit) {
    case 'events':
      return t.count(amount, 'Read as {count} event.', 'Read as {count} events.');
    case 'requests':
      return t.count(amount, 'Read as {count} request.', 'Read as {count} requests.');
    case 'tokens':
      return t.count(amount, 'Read as {count} token.', 'Read as {count} tokens.');
    default:
      return t('Read as {amount}.', { amount: amountOf(quota, amount) });
  }
}

const isWhole = (quota: QuotaName) => !isBytes(quota) && WORDS[quota].unit !== 'dollars';

/** A text that is no amount is sent as it is: the server says so at the field. */
function amountFrom(quota: QuotaName, text: string): number {
  if (isWhole(quota) && !/^\d+$/.test(text.trim())) return text as unknown as number;
  const number = numberOf(text);
  return isBytes(quota) && typeof number === 'number' ? Math.round(number * MEGABYTE) : number;
}

/** The members of a request: those that differ from what was read. */
export function changesOf(form: Form, before: Form, owner: Owner): Record<string, number | null> {
  const changed = quotasOf(owner).filter((quota) => form[quota].trim() !== before[quota]);
  return Object.fromEntries(
    changed.map((quota) => {
      const text = form[quota].trim();
      return [quota, text === '' ? null : amountFrom(quota, text)];
    }),
  );
}
