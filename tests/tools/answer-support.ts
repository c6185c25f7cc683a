/** The size that no answer of a tool exceeds. */
export const MAX_BYTES = 40 * 1024;

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Five tickets in the first days of March 2026; none on the 3rd. */
export const TICKETS = [
  ticket('2026-03-01T10:00:00Z', { plan: 'pro', minutes: 10, resolved: true }),
  ticket('2026-03-02T10:00:00Z', { plan: 'free', minutes: 20, resolved: false }),
  ticket('2026-03-02T11:00:00Z', { plan: 'pro', minutes: 30, resolved: true }),
  ticket('2026-03-04T10:00:00Z', { plan: 'team', minutes: 40, resolved: false }),
  ticket('2026-03-04T12:00:00Z', { minutes: 'long', resolved: true }),
];

export function ticket(timestamp: string, properties: object) {
  return { eventName: 'ticket_opened', timestamp, properties };
}

export const MARCH = { dateFrom: '2026-03-01', dateTo: '2026-03-04' };
