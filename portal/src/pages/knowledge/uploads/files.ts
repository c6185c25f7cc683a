export interface PickedFile {
  /** With its folders: `manuals/handbook.pdf`. */
  path: string;
  file: File;
}

/** Files of the system and of tools: nobody wants to search them. */
const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.'));

/** The files that somebody chose, by themselves or as a folder. */
export function chosenFiles(files: Iterable<File>): PickedFile[] {
  const picked = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return picked.filter(({ path }) => !isHidden(path));
}

/** The files that were dropped, with those of dropped folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<PickedFile[]> {
  // The list is empty once this function has waited for anything.
  const dropped = [...transfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const picked = await Promise.all(
    dropped.map((one) => (one === null ? [] : one instanceof File ? chosenFiles([one]) : filesBelow(one))),
  );
  return picked.flat().filter(({ path }) => !isHidden(path));
}

async function filesBelow(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PickedFile[] = [];
  for (;;) {
    // It gives a hundred at a time, and at the end none.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const one of entries) found.push(...(await filesBelow(one)));
  }
}
