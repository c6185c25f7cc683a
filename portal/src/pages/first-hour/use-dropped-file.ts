import { useEffect, useEffectEvent, useState } from 'react';

/** A file dropped anywhere on the page: without it the browser would leave the page and show the file. */
export function useDroppedFile(onDrop: () => void): [file: File | null, forget: () => void] {
  const [file, setFile] = useState<File | null>(null);
  const dropped = useEffectEvent((event: DragEvent) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    const [first] = event.dataTransfer?.files ?? [];
    if (!first) return;
    setFile(first);
    onDrop();
  });
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (hasFile(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => dropped(event);
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return [file, () => setFile(null)];
}

function hasFile({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
