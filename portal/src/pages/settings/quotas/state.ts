import type { Schemas } from '../../../api/schemas.ts';
import { numberOf } from '../../../editor/values.ts';

export type QuotaUsage = Schemas['QuotaUsage'];
export type QuotaName = QuotaUsage['quota'];
export type Limits = Schemas['TenantQuotas']['limits'];

/** The tenant, or a key of it: each has limits of its own. */
export type Owner = { kind: 'tenant' } | { kind: 'key'; id: string; label: string };

interface Words {
  label: string;
  help: string;
  /** The unit of the field. */
  field: string;
}

const MEGABYTE = 1_000_000;

export const WORDS: Record<QuotaName, Words> = {
  events: { label: 'Stored events', help: 'Ingesting more is refused.', field: 'events' },
  documents: { label: 'Stored documents', help: 'Files in vector stores.', field: 'MB' },
  deliveries: { label: 'Waiting messages', help: 'Of alerts and digests. By default 64 MB.', field: 'MB' },
  'requests-per-minute': { label: 'Requests a minute', help: 'In place of the server’s rate.', field: 'requests' },
  'tokens-per-day': { label: 'Tokens a day', help: 'Input and output of chats.', field: 'tokens' },
  'tokens-per-month': { label: 'Tokens a month', help: 'Input and output of chats.', field: 'tokens' },
  'cost-per-day': { label: 'Cost a day', help: 'Of chats, by the price of the model.', field: 'US dollars' },
  'cost-per-month': { label: 'Cost a month', help: 'Of chats, by the price of the model.', field: 'US dollars' },
};

const OF_TENANT = Object.keys(WORDS) as QuotaName[];

export function quotasOf(owner: Owner): QuotaName[] {
  return owner.kind === 'tenant' ? OF_TENANT : OF_TENANT.slice(OF_TENANT.indexOf('requests-per-minute'));
}

const isBytes = (quota: QuotaName) => WORDS[quota].field === 'MB';

const dollars = (digits: number) =>
  new Intl.NumberFormat(navigator.language, { style: 'currency', currency: 'USD', maximumFractionDigits: digits });

/** "$2.50", "1,200 tokens", "1.5 MB" */
export function amountOf(quota: QuotaName, amount: number): string {
  if (WORDS[quota].field === 'US dollars') return dollars(amount !== 0 && amount < 1 ? 6 : 2).format(amount);
  if (!isBytes(quota)) return amount.toLocaleString();
  return `${(amount / MEGABYTE).toLocaleString(undefined, { maximumFractionDigits: 2 })} MB`;
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
  if (typeof amount !== 'number')
    return `Write ${isWhole(quota) ? 'digits alone: 100000' : 'digits and a point: 2.5'}.`;
  return `Read as ${amountOf(quota, amount)}${isWhole(quota) ? ` ${WORDS[quota].field}` : ''}.`;
}

const isWhole = (quota: QuotaName) => !isBytes(quota) && WORDS[quota].field !== 'US dollars';

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
