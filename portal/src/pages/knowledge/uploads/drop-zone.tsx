import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { chosenFiles, droppedFiles, type PickedFile } from './files.ts';

interface DropZoneProps {
  /** Why the user may add none. */
  reason: string | undefined;
  /** The formats, in words. */
  formats: string;
  onFiles(files: readonly PickedFile[]): void;
}

/** Takes files and folders that are dropped anywhere on the page, or chosen. */
export function DropZone({ reason, formats, onFiles }: DropZoneProps) {
  const { error, run } = useTask();
  const isOver = useDrops((transfer) => {
    if (reason === undefined) void run(async () => onFiles(await droppedFiles(transfer)));
  });
  return (
    <div className={isOver && reason === undefined ? 'drop-zone over stack tight' : 'drop-zone stack tight'}>
      <p>{t('Drop files or folders here, or choose them.')}</p>
      <p className="small muted">{formats}</p>
      <div className="row">
        <Picker label={t('Choose files')} look="primary" reason={reason} onFiles={onFiles} />
        <Picker label={t('Choose a folder')} isFolder reason={reason} onFiles={onFiles} />
      </div>
      {reason !== undefined && <p className="small muted">{reason}</p>}
      {error !== null && <ErrorNotice error={error} />}
    </div>
  );
}

interface PickerProps {
  label: string;
  look?: 'primary';
  isFolder?: boolean;
  reason: string | undefined;
  onFiles(files: readonly PickedFile[]): void;
}

function Picker({ label, look, isFolder = false, reason, onFiles }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles(chosenFiles(event.currentTarget.files ?? []));
    // A file can be chosen twice.
    event.currentTarget.value = '';
  };
  return (
    <>
      <Button look={look} reason={reason} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple
        {...(isFolder && { webkitdirectory: 'true' })}
        onChange={pick}
      />
    </>
  );
}

/** True while files are held over the page. Without it the browser would leave the page and show the file. */
function useDrops(onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      dropped(event.dataTransfer!);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
