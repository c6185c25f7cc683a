import { join } from 'node:path';
import { FileLock } from '../storage/sqlite/lock.ts';

/** The file of the lock; it exists once any process has worked on the directory. */
export const OWNER_LOCK = 'owner.lock';

/**
 * The lease on a data directory. The operating system frees it when its process ends. A second lock
 * reserves the next lease: processes that would yield do not compete with the one that reserved it.
 */
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

  /** Reserves the next lease, unless another process has. */
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
