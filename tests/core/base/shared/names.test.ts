import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeNames, unknownName } from '../../../../src/core/base/shared/alike-names.ts';
import { listNames, nearestNames } from '../../../../src/core/base/shared/names.ts';

const KNOWN = ['ticket_opened', 'ticket_closed', 'purchase_completed', 'plan', 'Amount'];

test('nearestNames: misspelt, cut and differently cased names, nearest first', () => {
  assert.deepEqual(nearestNames('ticket_opend', KNOWN), ['ticket_opened', 'ticket_closed']);
  assert.deepEqual(nearestNames('purchase', KNOWN), ['purchase_completed']);
  assert.deepEqual(nearestNames('amount', KNOWN), ['Amount']);
  assert.deepEqual(nearestNames('plna', KNOWN), ['plan']);
});

test('nearestNames: a name unlike all others has none', () => {
  assert.deepEqual(nearestNames('zzzzzzzz', KNOWN), []);
});

test('listNames: long lists are cut with the number of the rest', () => {
  assert.equal(listNames(['a', 'b', 'c'], 2), '"a", "b" and 1 more');
});

const EVENTS = [
  'ticket_opened',
  'ticket_closed',
  'ticket_escalated',
  'purchase_completed',
  'user_signed_up',
  'refund_issued',
  'page_viewed',
  'feedback_given',
];

function assertAlike(cases: Record<string, string[]>, known: string[] = EVENTS): void {
  for (const [name, expected] of Object.entries(cases)) assert.deepEqual(alikeNames(name, known), expected, name);
}

test('alikeNames: other forms of a word, in any order, case and style', () => {
  assertAlike({
    tickets: ['ticket_opened', 'ticket_closed', 'ticket_escalated'],
    refunds: ['refund_issued'],
    refunded: ['refund_issued'],
    'page views': ['page_viewed'],
    closedTickets: ['ticket_closed'],
    'open-ticket': ['ticket_opened'],
    'User.Signed.Up': ['user_signed_up'],
    PURCHASE: ['purchase_completed'],
    purchase: ['purchase_completed'],
  });
});

test('alikeNames: synonyms of business events and their properties', () => {
  assertAlike({ orders: ['purchase_completed'], sales: ['purchase_completed'], csat: ['feedback_given'] });
  const keys = ['plan', 'amount', 'country', 'price'];
  assertAlike({ revenue: ['amount', 'price'], region: ['country'], tier: ['plan'] }, keys);
});

test('alikeNames: the word itself comes before its synonyms', () => {
  const known = ['purchase_completed', 'order_placed', 'sale'];
  assertAlike(
    { orders: ['order_placed', 'purchase_completed', 'sale'], sales: ['sale', 'purchase_completed', 'order_placed'] },
    known,
  );
  assertAlike({ amount: ['amount', 'price'] }, ['price', 'amount', 'plan']);
});

test('alikeNames: names with more of the wanted words come first', () => {
  const known = ['amount', 'order_total', 'order_amount', 'amount_refunded'];
  assert.deepEqual(alikeNames('amount_order', known), ['order_amount', 'order_total', 'amount']);
});

test('alikeNames: a rare word counts more than one that many names have', () => {
  const known = [...Array.from({ length: 20 }, (_, at) => `ticket_${at}`), 'ticket_escalated', 'order_escalated'];
  assert.equal(alikeNames('ticket_escalated_today', known)[0], 'ticket_escalated');
  // Each of the others shares but the common word, which is less than half as good.
  assert.deepEqual(alikeNames('escalated tickets', known), ['ticket_escalated', 'order_escalated']);
});

test('alikeNames: misspelled names, nearest first', () => {
  assertAlike({
    ticket_opend: ['ticket_opened', 'ticket_closed', 'ticket_escalated'],
    pagge_viewed: ['page_viewed'],
    feedback_givn: ['feedback_given'],
  });
  assertAlike({ amuont: ['amount'], cuontry: ['country'] }, ['plan', 'amount', 'country']);
});

test('alikeNames: ties keep the order of the known names', () => {
  const known = ['c_order', 'a_order', 'b_order'];
  assert.deepEqual(alikeNames('order', known), known);
  assert.deepEqual(alikeNames('order', known.toReversed()), known.toReversed());
  assert.deepEqual(alikeNames('sale', ['order_b', 'order_a', 'purchase']), ['order_b', 'order_a', 'purchase']);
});

test('alikeNames: names without words or likeness have none', () => {
  assertAlike({ xyzzy: [], '': [], _: [], '%': [], '😀': [], constructor: [], __proto__: [] });
  assert.deepEqual(alikeNames('order', []), []);
});

test('alikeNames: names in other scripts are compared, too', () => {
  assert.deepEqual(alikeNames('COMPRAS', ['compra_concluída', 'visita']), ['compra_concluída']);
  assert.deepEqual(alikeNames('購入', ['購入_完了', '訪問']), ['購入_完了']);
});

test('alikeNames: at most five of ten thousand names, of any length', () => {
  const known = Array.from({ length: 10_000 }, (_, at) => `ticket_${at}_${'x'.repeat(at % 190)}`);
  assert.deepEqual(alikeNames('tickets', known), known.slice(0, 5));
  assert.deepEqual(alikeNames('ticket_777', known).slice(0, 1), [known[777]!]);
  assert.ok(alikeNames('tickets '.repeat(1_000), known).length <= 5);
  assert.deepEqual(alikeNames('tickets', [...known, 'ticket_closed']).length, 5);
});

test('alikeNames: each name is given once', () => {
  assert.deepEqual(alikeNames('order', ['order', 'orders', 'order']), ['order', 'orders']);
});

test('unknownName: the nearest names, else all, else how to create one', () => {
  assert.equal(
    unknownName('provider', 'opnai', ['openai', 'local'], 'x'),
    'there is no provider "opnai"; nearest: "openai"',
  );
  assert.equal(unknownName('provider', 'zzz', ['a1', 'b1'], 'x'), 'there is no provider "zzz"; known: "a1", "b1"');
  assert.equal(
    unknownName('provider', 'a', [], '`apply` does'),
    'there is no provider "a", nor any other; `apply` does',
  );
});

test('alikeNames: a noun leads to the event of its verb, however it is formed', () => {
  const pairs = `deliveries shipment_delivered|refunds payment_refunded|cancellations order_canceled|signups user_signed_up
    |logins user_logged_in|renewals subscription_renewed|failures payment_failed|purchases item_purchased|resolutions ticket_resolved
    |submissions form_submitted|completions task_completed|conversions lead_converted|deletions account_deleted
    |creations project_created|subscriptions user_subscribed|rejections claim_rejected|denials request_denied
    |expiries token_expired|withdrawals funds_withdrawn|closures ticket_closed|verifications email_verified
    |notifications user_notified|publications article_published|complaints customer_complained|handoffs chat_handed_off
    |checkouts cart_checked_out|timeouts requestTimedOut|suspensions account_suspended|extensions trial_extended
    |responses survey_responded|recoveries cart_recovered|connections device_connected|decisions claim_decided|sales product_sold
    |additions item_added|losses deal_lost|departures flight_departed|interruptions call_interrupted|payouts vendor_paid_out`;
  const others = ['zebra_seen', 'invoice_printed', 'kite_flown', 'quartz_mined'];
  for (const [noun, event] of pairs.split('|').map((pair) => pair.trim().split(' ') as [string, string])) {
    assert.equal(alikeNames(noun, [...others, event])[0], event, noun);
    assert.equal(alikeNames(event, [...others, noun])[0], noun, event);
  }
  const unlike = ['config_changed', 'chart_drawn', 'star_given', 'region_set', 'comparison_made', 'plant_watered'];
  for (const noun of ['confirmations', 'charges', 'starts', 'registrations', 'computations', 'plans'])
    assert.deepEqual(alikeNames(noun, unlike), [], noun);
});
