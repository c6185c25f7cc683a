import { type ReactNode, useId, useRef, useState } from 'react';
import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { type Attaching, attachable, partOf, sizeOf, takenText } from '../state/attachments.ts';
import type { Composed, ContentPart, Conversation } from '../state/conversation.ts';
import type { Source } from '../state/sides.ts';

interface UseAttach {
  conversation: Conversation;
  sources: readonly Source[];
  change(members: Partial<Composed>): void;
}

/** Adds files to the composed message. Files that cannot be sent are refused with the reason. */
export function useAttach({ conversation, sources, change }: UseAttach) {
  const [refusals, setRefusals] = useState<string[]>([]);
  const add = async (files: readonly File[]) => {
    const attaching: Attaching = { conversation, sources };
    const checked = attachable(attaching, files);
    setRefusals(checked.refusals);
    const parts = await Promise.all(checked.files.map(async (file) => partOf(file, await dataUrlOf(file))));
    if (parts.length > 0) change({ parts: [...conversation.composed.parts, ...parts] });
  };
  return { add, refusals, taken: takenText({ conversation, sources }) };
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

interface AttachmentsProps {
  parts: readonly ContentPart[];
  attach: ReturnType<typeof useAttach>;
  onRemove(parts: readonly ContentPart[]): void;
  children: ReactNode;
}

/** The files of the composed message, with previews, and the row of its buttons. */
export function Attachments({ parts, attach, onRemove, children }: AttachmentsProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      {parts.length > 0 && (
        <ul className="row" aria-label={t('Attachments')}>
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may be attached twice
            <li key={index} className="chat-attachment row">
              <Preview part={part} />
              <IconButton
                icon="close"
                label={t('Remove attachment {number}', { number: index + 1 })}
                onClick={() => onRemove(parts.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <div role="alert">
        {attach.refusals.map((refusal) => (
          <p key={refusal} className="field-error">
            {refusal}
          </p>
        ))}
      </div>
      <div className="row chat-send">
        <Button icon="add" aria-describedby={id} onClick={() => input.current?.click()}>
          {t('Attach files')}
        </Button>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t('Files to attach')}
          onChange={({ currentTarget }) => {
            void attach.add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <span id={id} className="grow muted small">
          {attach.taken}
        </span>
        {children}
      </div>
    </>
  );
}

function Preview({ part }: { part: ContentPart }) {
  if (part.type === 'image_url') return <img src={part.image_url.url} alt={t('Image to send')} />;
  if (part.type !== 'file') return null;
  const { filename } = part.file;
  return (
    <span className="small">
      <bdi className="breaking">{filename}</bdi> <span className="muted">{bytesText(sizeOf(part))}</span>
    </span>
  );
}
