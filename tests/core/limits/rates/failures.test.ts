import { RecentFailures } from '../../../../src/core/limits/rates/failures.ts';
import { testFailures } from '../../../contracts/failures.ts';

testFailures({
  name: 'memory',
  open: async () => {
    const clock = { now: 0 };
    const failures = new RecentFailures(() => clock.now++);
    return [failures, failures];
  },
});
