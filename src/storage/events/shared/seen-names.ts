import type { JsonType, StoredEvent } from '../../../core/analytics/events/store.ts';
import { typeOf } from './checked-event.ts';
import type { PathNode } from './columns.ts';
import { TYPE_BIT } from './known-names.ts';
import type { EventNames, KnownTenant } from './tenants.ts';

/** An event name of an agent in one flush. */
export interface SeenName {
  tenant: Pick<KnownTenant, 'tenantId' | 'number'>;
  agentId: string;
  eventName: string;
  events: number;
  firstSeen: number;
  lastSeen: number;
}

export interface NewProperty extends Pick<SeenName, 'tenant' | 'agentId' | 'eventName'> {
  /** JSON text of the keys, outermost first. */
  path: string;
  type: JsonType;
}

/** Notes the keys of the events of one name. */
export class NotedName {
  readonly seen: SeenName;
  private readonly names: EventNames;
  private readonly properties: NewProperty[];

  constructor(seen: SeenName, names: EventNames, properties: NewProperty[]) {
    this.seen = seen;
    this.names = names;
    this.properties = properties;
  }

  note(node: PathNode, value: unknown): void {
    if (!node.isListed) return;
    const type = typeOf(value);
    if (!this.names.note(node, TYPE_BIT[type])) return;
    const { tenant, agentId, eventName } = this.seen;
    this.properties.push({ tenant, agentId, eventName, path: JSON.stringify(node.path), type });
  }
}

/** Names and keys that the events of one flush have. */
export class SeenNames {
  readonly properties: NewProperty[] = [];
  private readonly noted = new Map<string, NotedName | null>();

  get events(): SeenName[] {
    return [...this.noted.values()].flatMap((noted) => (noted ? [noted.seen] : []));
  }

  /** Null if the tenant has too many names. */
  note(tenant: KnownTenant, { agentId, eventName, timestamp }: StoredEvent): NotedName | null {
    const key = `${tenant.number}\0${agentId}\0${eventName}`;
    let noted = this.noted.get(key);
    if (noted === undefined) {
      const names = tenant.eventNames(agentId, eventName);
      const seen = { tenant, agentId, eventName, events: 0, firstSeen: timestamp, lastSeen: timestamp };
      noted = names && new NotedName(seen, names, this.properties);
      this.noted.set(key, noted);
    }
    if (noted) {
      noted.seen.events += 1;
      noted.seen.firstSeen = Math.min(noted.seen.firstSeen, timestamp);
      noted.seen.lastSeen = Math.max(noted.seen.lastSeen, timestamp);
    }
    return noted;
  }
}
