/** A consistent copy of everything stored, in a directory of its own, ready to be packed. */
export interface StagedBackup {
  directory: string;
  /** Epoch milliseconds: everything acknowledged before is in the copy. */
  createdAt: number;
}
