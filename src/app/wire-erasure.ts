import { ErasureService } from '../core/erasure.ts';
import type { KnowledgeService } from '../core/knowledge/service.ts';
import type { OpenedChat } from './chat.ts';
import type { OpenStores } from './open-stores.ts';

interface Erasable {
  chats: OpenedChat;
  knowledge: KnowledgeService;
  deliveries: { erase(tenantId: string): Promise<number> };
}

/** The order matters: executions identify the events of chats. */
export function makeErasure(stores: OpenStores, { chats, knowledge, deliveries }: Erasable): ErasureService {
  const { audit, tenants, tenantStore, eventStore, reviewStore, assessmentStore } = stores;
  return new ErasureService({
    tenantStore,
    audit,
    tenants,
    events: eventStore,
    erasers: [
      { what: 'deliveries', tenantsOnly: true, erase: (tenantId) => deliveries.erase(tenantId) },
      { what: 'documents', tenantsOnly: true, erase: (tenantId) => knowledge.erase(tenantId) },
      { what: 'reviews', erase: (tenantId, thread) => reviewStore.erase(tenantId, thread) },
      { what: 'assessments', erase: (tenantId, thread) => assessmentStore.erase(tenantId, thread) },
      { what: 'events', erase: async (tenantId, thread) => (thread ? chats.eraseEvents(tenantId, thread) : 0) },
      { what: 'executions', erase: (tenantId, thread) => chats.eraseExecutions(tenantId, thread) },
      { what: 'events', erase: (tenantId, thread) => eventStore.erase(tenantId, { threadId: thread?.threadId }) },
    ],
  });
}
