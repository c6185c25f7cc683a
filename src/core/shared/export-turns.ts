import { RuntimeError } from './errors.ts';

/** Each holds pages in memory for as long as its reader takes. */
const MAX_EXPORTS = { ofTenant: 3, ofAll: 12 };

/** Lets few exports be under way at once. */
export class ExportTurns {
  private readonly underWay: string[] = [];

  /** Begins with the first part that is asked for, and ends with the last, or when nobody asks any more. */
  async *take(tenantId: string, chunks: AsyncGenerator<string>): AsyncGenerator<string> {
    const ofTenant = this.underWay.filter((one) => one === tenantId).length;
    if (ofTenant >= MAX_EXPORTS.ofTenant || this.underWay.length >= MAX_EXPORTS.ofAll) {
      throw new RuntimeError('unavailable', 'Too many exports are under way. Try again when one has ended.', {
        retryAfter: 10,
      });
    }
    this.underWay.push(tenantId);
    try {
      yield* chunks;
    } finally {
      this.underWay.splice(this.underWay.indexOf(tenantId), 1);
    }
  }
}
