import { MemoryEventCounts } from '../../../../src/core/limits/quotas/event-counts.ts';
import { testEventCounts } from '../../../contracts/event-counts.ts';

testEventCounts({
  name: 'memory',
  open: async () => {
    const counts = new MemoryEventCounts(() => 0);
    return [counts, counts];
  },
});
