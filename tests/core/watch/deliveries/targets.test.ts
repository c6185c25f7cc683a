import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import {
  completeTargets,
  isSameTarget,
  newWebhookSecret,
  placeOf,
  shownTarget,
  shownTargetSchema,
  type Target,
  type TargetInput,
  targetSchema,
} from '../../../../src/core/watch/deliveries/targets.ts';
import { rejectionOf } from '../../../outbound/support.ts';

const bodySchema = z.strictObject({ targets: z.array(targetSchema) });

const messagesOf = async (target: unknown): Promise<string[]> =>
  ((await rejectionOf((async () => parse(bodySchema, { targets: [target] }))())) as RuntimeError).messages;

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const WEBHOOK: Target = { type: 'webhook', url: 'https://example.com/hook?token=abc', secret: secretOf(32) };
const SLACK: Target = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' };
const SHOWN_SLACK = { type: 'slack', url: 'https://hooks.slack.com/…#fdf3d470' } as const;
const EMAIL: Target = { type: 'email', to: ['ana@example.com', 'bob@example.com', 'eve@example.org'] };

test('targetSchema: the three kinds of targets are taken as they are', () => {
  const targets = [WEBHOOK, SLACK, EMAIL, { type: 'webhook', url: 'http://10.0.0.7:8080' }];
  assert.deepEqual(parse(bodySchema, { targets }).targets, targets);
  for (const bytes of [24, 64]) parse(targetSchema, { ...WEBHOOK, secret: secretOf(bytes) });
});

test('targetSchema: each fault names the field and what it must be', async () => {
  const url = 'must be an http or https URL such as https://example.com/hooks';
  const secret = 'must be whsec_ followed by the base64 of 24 to 64 bytes';
  const faults: [target: unknown, message: string][] = [
    ['https://example.com', ': must be an object such as {"type": "email", "to": ["name@example.com"]}'],
    [{ type: 'sms' }, '.type: must be one of webhook, email, slack'],
    [{ type: 'webhook' }, '.url: is required'],
    [{ type: 'webhook', url: 'ftp://example.com' }, `.url: ${url}`],
    [{ type: 'webhook', url: 'https://' }, `.url: ${url}`],
    [{ type: 'slack', url: 'https://a b' }, `.url: ${url}`],
    [{ type: 'webhook', url: 'https://user@example.com' }, '.url: must not hold a user or password'],
    [{ type: 'slack', url: `https://example.com/${'a'.repeat(2_000)}` }, '.url: must have at most 2000 characters'],
    ...[secretOf(23), secretOf(65), `${secretOf(32)}\n`, secretOf(32).slice(6), secretOf(32).replace('=', '')].map(
      (one): [unknown, string] => [{ ...WEBHOOK, secret: one }, `.secret: ${secret}`],
    ),
    [{ type: 'email', to: [] }, '.to: must have at least 1 address'],
    [{ type: 'email', to: Array(21).fill('a@example.com') }, '.to: must have at most 20 addresses'],
    [{ type: 'email', to: ['a@example.com', 'A@EXAMPLE.com'] }, '.to: must not repeat an address'],
    [{ type: 'email', to: ['a@example.com\r\nBcc: b'] }, '.to[0]: must be an e-mail address such as name@example.com'],
    [{ ...SLACK, secret: 'a' }, '.secret: unknown member'],
  ];
  for (const [target, message] of faults) {
    const messages = await messagesOf(target);
    assert.ok(messages.includes(`targets[0]${message}`), `${JSON.stringify(target)}: ${messages.join('; ')}`);
  }
});

test('targetSchema: messages do not repeat a URL or a secret', async () => {
  const said = [
    await messagesOf({ type: 'webhook', url: 'https://user:pa55word@example.com' }),
    await messagesOf({ type: 'webhook', url: 'https://example.com', secret: 'whsec_pa55word' }),
  ];
  assert.doesNotMatch(JSON.stringify(said), /pa55word/);
});

test('shownTarget: has no secrets', () => {
  const shown = [WEBHOOK, SLACK, EMAIL].map((target) => shownTarget(target));
  assert.deepEqual(shown, [{ type: 'webhook', url: WEBHOOK.url }, SHOWN_SLACK, EMAIL]);
  assert.deepEqual(shownTarget(SLACK, false), SHOWN_SLACK);
  const hidden = shownTarget(WEBHOOK, false) as { url: string };
  assert.match(hidden.url, /^https:\/\/example\.com\/…#[0-9a-f]{8}$/);
  assert.deepEqual(z.array(shownTargetSchema).parse(shown), shown);
  assert.deepEqual([WEBHOOK, SLACK, EMAIL].map(placeOf), [
    'https://example.com',
    'https://hooks.slack.com',
    'ana@example.com and 2 more',
  ]);
});

test('newWebhookSecret: is a valid secret, and another one each time', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()];
  assert.notEqual(one, other);
  parse(targetSchema, { ...WEBHOOK, secret: one });
});

test('isSameTarget: secrets do not count, everything else does', () => {
  assert.ok(isSameTarget(WEBHOOK, { type: 'webhook', url: WEBHOOK.url }));
  assert.ok(isSameTarget(WEBHOOK, { type: 'webhook', url: WEBHOOK.url, secret: secretOf(24) }));
  assert.ok(!isSameTarget(WEBHOOK, { type: 'webhook', url: 'https://example.com/hook' }));
  assert.ok(!isSameTarget(WEBHOOK, { type: 'slack', url: WEBHOOK.url }));
  assert.ok(isSameTarget(SLACK, SHOWN_SLACK));
  assert.ok(!isSameTarget(SLACK, { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/other' }));
  assert.ok(isSameTarget(EMAIL, { type: 'email', to: [...EMAIL.to] }));
  assert.ok(!isSameTarget(EMAIL, { type: 'email', to: ['ana@example.com'] }));
});

test('completeTargets: an update that leaves out secrets keeps those that are stored', () => {
  const other: Target = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/other' };
  const given = parse(bodySchema, {
    targets: [EMAIL, ...[SLACK, WEBHOOK, other].map((target) => shownTarget(target))],
  }).targets;
  assert.deepEqual(
    completeTargets(given, [WEBHOOK, SLACK, other]),
    [EMAIL, SLACK, WEBHOOK, other].map((target) => ({ target, newSecret: null })),
  );
});

test('completeTargets: a webhook without a secret gets one, which is told once', () => {
  const url = 'https://example.com/new';
  const [made] = completeTargets([{ type: 'webhook', url }], [WEBHOOK]);
  assert.match(made!.newSecret!, /^whsec_.{44}$/);
  assert.deepEqual(made!.target, { type: 'webhook', url, secret: made!.newSecret });
  const secret = secretOf(40);
  assert.deepEqual(completeTargets([{ ...WEBHOOK, secret }], [WEBHOOK]), [
    { target: { ...WEBHOOK, secret }, newSecret: null },
  ]);
});

test('completeTargets: a shown form keeps the stored URL that is meant', () => {
  const webhook = (path: string): Target => ({ ...WEBHOOK, url: `https://example.com/${path}?token=a-secret` });
  for (const stored of [
    [webhook('a'), webhook('b')],
    [SLACK, { ...SLACK, url: `${SLACK.url}2` }],
  ]) {
    const shown = stored.map((target) => shownTarget(target, false) as { type: 'slack'; url: string });
    assert.doesNotMatch(JSON.stringify(shown), /a-secret|services/);
    for (const url of [shown[1]!.url, new URL(shown[1]!.url).href]) {
      const given = parse(bodySchema, { targets: [{ ...shown[1]!, url }] }).targets;
      assert.deepEqual(completeTargets(given, stored), [{ target: stored[1], newSecret: null }]);
    }
  }
  const secret = secretOf(40);
  const given = { ...shownTarget(webhook('a'), false), secret } as TargetInput;
  assert.deepEqual(completeTargets([given], [webhook('a')])[0]?.target, { ...webhook('a'), secret });
});

test('completeTargets: the shown form of an unknown URL is refused', () => {
  for (const type of ['slack', 'webhook']) {
    for (const url of ['https://hooks.slack.com/…', 'https://hooks.slack.com/…#00000000']) {
      const given = parse(bodySchema, { targets: [EMAIL, { type, url }] }).targets;
      assert.throws(() => completeTargets(given, [EMAIL, SLACK]), {
        message: 'targets[1].url: is the shown form of another target; give the whole URL',
      });
    }
  }
});
