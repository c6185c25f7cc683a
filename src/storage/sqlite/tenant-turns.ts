import { Gate } from '../../core/gate.ts';

/** Of one tenant, one question that takes long is answered at a time, and so many wait; others are told to try again. */
const LONG_QUESTIONS = {
  width: 1,
  room: 100,
  refusal: 'Too many lists and exports of reviews are asked for at once. Try again.',
};

/** Gives each tenant its turn at the threads: whoever asks much waits for themselves, and not the others. */
export class TenantTurns {
  private readonly gates = new Map<string, Gate>();

  /** Does the work when it is the tenant's turn. Throws `unavailable` when too much of the tenant waits already. */
  async take<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const gate = this.gates.get(tenantId) ?? new Gate(LONG_QUESTIONS);
    this.gates.set(tenantId, gate);
    try {
      return await gate.pass(work);
    } finally {
      if (gate.isIdle) this.gates.delete(tenantId);
    }
  }
}
