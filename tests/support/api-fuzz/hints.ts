import { PASSWORD } from './credentials.ts';
import type { Pools } from './pools.ts';
import type { Random } from './random.ts';
import type { Hint } from './values.ts';

let people = 0;

/** What members of these names are usually given in requests that are to succeed. */
export function hintsOf(own: Pools, random: Random): Hint {
  const known: Record<string, () => unknown> = {
    agentId: () => random.oneOf(['support', 'sales']),
    eventName: () => random.oneOf(['order_placed', 'refund', 'never_seen']),
    propertyKey: () => random.oneOf(['amount', 'plan', 'threadId', 'properties.plan']),
    groupBy: () => 'plan',
    sortBy: () => random.oneOf(['timestamp', 'amount']),
    executionId: () => own.some('executions', random),
    threadId: () => 't-1',
    tabId: () => own.some('tabs', random),
    timestamp: () => random.oneOf(['2026-03-01T12:30:00+02:00', '2026-03-01T10:30:00Z']),
    startedAt: () => '2026-03-01T10:30:00Z',
    completedAt: () => '2026-03-01T10:31:00Z',
    dateFrom: () => random.oneOf(['-7d', '2026-01-01', 'mtd', 'last_week', '2026-03-01T10:30:00Z']),
    dateTo: () => random.oneOf(['2099-01-01', 'today']),
    expiresAt: () => '2099-01-01',
    timezone: () => random.oneOf(['America/Sao_Paulo', 'UTC', 'Asia/Kathmandu']),
    email: () => `fuzz-${++people}@example.com`,
    password: () => PASSWORD,
    currentPassword: () => PASSWORD,
    phone: () => '+55 11 91234-5678',
    comment: () => 'The answer was not the right one.',
    connector: () => own.some('connectors', random),
    resource: () => random.oneOf(['getParcel', 'orderPickup', 'getPet', 'listPets', 'addPet']),
    data: () => random.oneOf([{ parcelId: 'BR-7781', date: '2026-03-05' }, { parcelId: 'BR-7781' }, { petId: 7 }, {}]),
    options: () => random.oneOf([{}, { useMock: true }, { timeout: 300 }]),
    vectorStore: () => random.oneOf(['help', 'manuals']),
    metadata: () => random.oneOf(['{"lang":"en"}', '{"sourceId":"faq","lang":"pt"}']),
    provider: () => 'custom',
    providerName: () => 'local',
    scopes: () => ['mcp:read'],
    messages: () => [{ role: 'user', content: 'Say hello.' }],
    search: () => random.oneOf(['silva', 'resposta', 'order']),
  };
  return (name) => (Object.hasOwn(known, name) ? known[name]!() : undefined);
}

/** An example with some of its members given anew, so that no two requests are alike. */
export function freshened(value: unknown, hint: Hint, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => freshened(item, hint, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = typeof member === 'string' && random.chance(0.5) ? hint(name) : undefined;
      return [name, typeof known === 'string' ? known : freshened(member, hint, random)];
    }),
  );
}
