import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openWith, type SealingKeys, type SecretPlace, seal } from '../../base/sealing/sealing.ts';
import { invalid } from '../../base/shared/errors.ts';

const MAX_URL = 2_000;
const MAX_ADDRESSES = 20;
const SECRET_PREFIX = 'whsec_';
/** Lengths of secrets in Standard Webhooks. */
const SECRET_BYTES = { minimum: 24, maximum: 64, made: 32 };

/** Messages do not repeat it: it may hold a secret. */
const urlSchema = z
  .string()
  .max(MAX_URL)
  .superRefine((text, context) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null;
    const problem =
      url === null
        ? 'must be an http or https URL such as https://example.com/hooks'
        : url.username !== '' || url.password !== ''
          ? 'must not hold a user or password'
          : null;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const secretSchema = z
  .string()
  .refine(
    isWebhookSecret,
    `must be ${SECRET_PREFIX} followed by the base64 of ${SECRET_BYTES.minimum} to ${SECRET_BYTES.maximum} bytes`,
  );

function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(SECRET_PREFIX)) return false;
  const encoded = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Decoders skip invalid characters; receivers need the padding.
  const isBase64 = bytes.toString('base64') === encoded;
  return isBase64 && bytes.length >= SECRET_BYTES.minimum && bytes.length <= SECRET_BYTES.maximum;
}

const recipientsSchema = z
  .array(
    z.email('must be an e-mail address such as name@example.com').max(254, 'must have at most 254 characters'),
    `must be a list of 1 to ${MAX_ADDRESSES} e-mail addresses`,
  )
  .min(1, 'must have at least 1 address')
  .max(MAX_ADDRESSES, `must have at most ${MAX_ADDRESSES} addresses`)
  .refine(areDistinct, 'must not repeat an address')
  .describe(`1 to ${MAX_ADDRESSES} e-mail addresses.`);

function areDistinct(addresses: string[]): boolean {
  return new Set(addresses.map((address) => address.toLowerCase())).size === addresses.length;
}

const webhookType = z.literal('webhook').describe('A signed POST request, by the Standard Webhooks specification.');
const emailType = z.literal('email').describe('An e-mail.');
const slackType = z.literal('slack').describe('An incoming webhook of Slack, Mattermost, Rocket.Chat or Discord.');

/** A target as clients write it: a webhook may leave out its secret (`completeTargets`). */
export const targetSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: webhookType,
      url: urlSchema.describe('Where requests are sent; http or https.'),
      secret: secretSchema
        .optional()
        .describe(`\`${SECRET_PREFIX}\` and base64: signs the requests. Without one, one is made, and shown once.`),
    }),
    z.strictObject({ type: emailType, to: recipientsSchema }),
    z.strictObject({ type: slackType, url: urlSchema.describe('The URL of the incoming webhook; it is a secret.') }),
  ],
  'must be an object such as {"type": "email", "to": ["name@example.com"]}',
);

const MAX_TARGETS = 10;
export const targetsSchema = z
  .array(targetSchema, 'must be a list of targets')
  .max(MAX_TARGETS, `must have at most ${MAX_TARGETS} targets`)
  .describe('Where messages are sent: webhooks, Slack-compatible URLs and e-mail addresses.');

/** Without secrets. */
export const shownTargetSchema = z.discriminatedUnion('type', [
  z.object({
    type: webhookType,
    url: z.string().describe('Where requests are sent; without alerts:write, its origin and a short hash.'),
  }),
  z.object({ type: emailType, to: z.array(z.string()).describe('E-mail addresses.') }),
  z.object({
    type: slackType,
    url: z.string().describe('The origin and a short hash of the address, whose path is a secret.'),
  }),
]);

export type TargetInput = z.output<typeof targetSchema>;
export type ShownTarget = z.output<typeof shownTargetSchema>;
export type TargetType = TargetInput['type'];

/** Holds secrets: never show or log it, and store it sealed. */
export type Target = Exclude<TargetInput, { type: 'webhook' }> | { type: 'webhook'; url: string; secret: string };

export function newWebhookSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES.made).toString('base64')}`;
}

/**
 * The form for answers. Paths and queries hold tokens: only a caller who may write targets sees
 * those of webhooks.
 */
export function shownTarget(target: Target, mayWrite = true): ShownTarget {
  if (target.type === 'email') return { type: 'email', to: target.to };
  const isWhole = mayWrite && target.type === 'webhook';
  return { type: target.type, url: isWhole ? target.url : shownUrl(target.url) };
}

/** `/…` as URLs write it. */
const SHOWN_PATH = '/%E2%80%A6';

/** `https://example.com/…#1a2b3c4d`: the hash tells targets of one host apart. */
function shownUrl(url: string): string {
  return `${new URL(url).origin}/…#${createHash('sha256').update(url).digest('hex').slice(0, 8)}`;
}

function isShownForm(url: string): boolean {
  return new URL(url).pathname === SHOWN_PATH;
}

/** Whether a client means the stored target, which it may name in its shown form. */
export function isSameTarget(stored: Target, given: TargetInput): boolean {
  if (stored.type === 'email') return given.type === 'email' && String(given.to) === String(stored.to);
  if (given.type !== stored.type) return false;
  return given.url === stored.url || new URL(given.url).href === new URL(shownUrl(stored.url)).href;
}

export interface CompletedTarget {
  target: Target;
  /** To be shown once; null: the client has it. */
  newSecret: string | null;
}

/**
 * Fills in the secrets that a client left out: those of the same stored target, or new ones. Throws
 * `invalid` for a shown form that matches no stored target.
 */
export function completeTargets(given: readonly TargetInput[], stored: readonly Target[] = []): CompletedTarget[] {
  const left = [...stored];
  return given.map((one, index) => {
    // Each stored target stands for one given: shown forms of several may be equal.
    const at = left.findIndex((other) => isSameTarget(other, one));
    const [same] = at === -1 ? [] : left.splice(at, 1);
    return completed(one, same, index);
  });
}

function completed(given: TargetInput, same: Target | undefined, index: number): CompletedTarget {
  if (given.type === 'email') return { target: given, newSecret: null };
  if (same === undefined && isShownForm(given.url)) {
    throw invalid(`targets[${index}].url: is the shown form of another target; give the whole URL`);
  }
  if (given.type === 'slack') return { target: same?.type === 'slack' ? same : given, newSecret: null };
  if (given.secret !== undefined) {
    const { url } = same?.type === 'webhook' ? same : given;
    return { target: { ...given, url, secret: given.secret }, newSecret: null };
  }
  if (same?.type === 'webhook') return { target: same, newSecret: null };
  const secret = newWebhookSecret();
  return { target: { type: 'webhook', url: given.url, secret }, newSecret: secret };
}

const MAX_PLACE = 200;

/** For summaries, logs and events: the host, or the first address. */
export function placeOf(target: Target): string {
  if (target.type !== 'email') return new URL(target.url).origin.slice(0, MAX_PLACE);
  const [first = '', ...others] = target.to;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** A target copied to another row does not open. */
export function deliveryPlace(tenantId: string, id: string): SecretPlace {
  return ['delivery', tenantId, id, 'target'];
}

export function sealTarget(key: Uint8Array, target: Target, place: SecretPlace): string {
  return seal(key, JSON.stringify(target), place);
}

/** Throws an UnopenableSecret. */
export function unsealTarget(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): Target {
  return JSON.parse(openWith(keys, sealed, place)) as Target;
}

/** The place of the sealed targets of an alert or a digest. */
export function targetsPlace({ kind, id }: { kind: string; id: string }, tenantId: string): SecretPlace {
  return [kind, tenantId, id, 'targets'];
}

export function sealTargets(key: Uint8Array, targets: readonly Target[], place: SecretPlace): string {
  return seal(key, JSON.stringify(targets), place);
}

/** Throws an UnopenableSecret. */
export function openTargets(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): Target[] {
  return JSON.parse(openWith(keys, sealed, place)) as Target[];
}
