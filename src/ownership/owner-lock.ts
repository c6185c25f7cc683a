import { join } from 'node:path';
import { FileLock } from '../storage/state/sqlite/lock.ts';

/** It exists once any process has worked on the directory. */
export const OWNER_LOCK = 'owner.lock';

/** The OS frees the lease with its process. The reservation keeps yielding processes away. */
export class OwnerLock {
  private readonly lease: FileLock;
  private readonly reservation: FileLock;

  constructor(dataDir: string) {
    this.lease = new FileLock(join(dataDir, OWNER_LOCK));
    this.reservation = new FileLock(join(dataDir, 'next.lock'));
  }

  tryAcquire({ yields }: { yields: boolean }): boolean {
    if (!yields) return this.lease.tryAcquire();
    if (!this.reservation.tryAcquire()) return false;
    try {
      return this.lease.tryAcquire();
    } finally {
      this.reservation.release();
    }
  }

  reserve(): void {
    this.reservation.tryAcquire();
  }

  cancelReservation(): void {
    this.reservation.release();
  }

  release(): void {
    this.lease.release();
  }

  close(): void {
    this.lease.close();
    this.reservation.close();
  }
}
