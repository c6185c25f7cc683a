import type { ErasedConversations } from '../core/agents/executions/store.ts';
import { ErasureService } from '../core/erasure.ts';
import type { KnowledgeService } from '../core/knowledge/service.ts';
import type { OpenedChat } from './chat.ts';
import type { OpenStores } from './open-stores.ts';

interface Erasable {
  chats: OpenedChat;
  knowledge: KnowledgeService;
  deliveries: { erase(tenantId: string): Promise<number> };
}

/**
 * The order matters: executions identify the events of chats. Threads of an end user are found by
 * their executions alone, so their events go before these and, for late ones, after them.
 */
export function makeErasure(stores: OpenStores, { chats, knowledge, deliveries }: Erasable): ErasureService {
  const { audit, tenants, tenantStore, eventStore, reviewStore, assessmentStore } = stores;
  const eraseThreads = async (tenantId: string, { threadIds }: ErasedConversations) =>
    threadIds.length === 0 ? 0 : eventStore.erase(tenantId, { threadIds });
  return new ErasureService({
    tenantStore,
    audit,
    tenants,
    events: eventStore,
    conversationsOf: (tenantId, userId) => chats.conversationsOf(tenantId, userId),
    erasers: [
      { what: 'deliveries', tenantsOnly: true, erase: (tenantId) => deliveries.erase(tenantId) },
      { what: 'documents', tenantsOnly: true, erase: (tenantId) => knowledge.erase(tenantId) },
      { what: 'reviews', erase: (tenantId, some) => reviewStore.erase(tenantId, some) },
      { what: 'assessments', erase: (tenantId, some) => assessmentStore.erase(tenantId, some) },
      { what: 'events', erase: async (tenantId, some) => (some ? chats.eraseEvents(tenantId, some) : 0) },
      { what: 'events', erase: async (tenantId, some) => (some?.userId ? eraseThreads(tenantId, some) : 0) },
      { what: 'executions', erase: (tenantId, some) => chats.eraseExecutions(tenantId, some) },
      {
        what: 'events',
        erase: (tenantId, some) => (some ? eraseThreads(tenantId, some) : eventStore.erase(tenantId, {})),
      },
    ],
  });
}
