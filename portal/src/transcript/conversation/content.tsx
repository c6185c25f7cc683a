import { useMemo } from 'react';
import { t } from '../../language/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { prettyJson } from '../json.ts';
import { LongText } from '../long-text.tsx';
import { shownAddress } from '../markdown/addresses.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { TitledCode } from '../titled-code.tsx';
import type { Part } from './parts.ts';

interface ContentProps {
  parts: readonly Part[];
  /** True for a text that people read: Markdown becomes elements. */
  isProse: boolean;
}

/** The texts, pictures and files of a message. Nothing is loaded from elsewhere. */
export function Content({ parts, isProse }: ContentProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids, and only grow
  return parts.map((part, index) => <PartContent key={index} part={part} isProse={isProse} />);
}

function PartContent({ part, isProse }: { part: Part; isProse: boolean }) {
  switch (part.type) {
    case 'text':
      return <Text text={part.text} isProse={isProse} />;
    case 'picture':
      return <img className="sent-picture" src={part.source} alt={t('In the message')} decoding="async" />;
    case 'address':
      return (
        <p>
          {t.nodes('Image at {address}', {
            address: (
              <a href={part.address} target="_blank" rel="noopener noreferrer">
                <bdi>{shownAddress(part.address)}</bdi>
              </a>
            ),
          })}
        </p>
      );
    case 'file':
      return <File file={part} />;
    case 'value':
      return <TitledCode text={part.json} title="JSON" />;
  }
}

/** A text; JSON on indented lines. */
export function Text({ text, isProse }: { text: string; isProse: boolean }) {
  const json = useMemo(() => prettyJson(text), [text]);
  if (json !== null) return <TitledCode text={json} title="JSON" />;
  return isProse ? <Markdown text={text} /> : <LongText text={text} />;
}

function File({ file: { name, kind, bytes, data } }: { file: Extract<Part, { type: 'file' }> }) {
  const save = () => {
    // As bytes without a type: the browser saves it, and never shows it as a page of the portal.
    const content = Uint8Array.from(atob(data!), (character) => character.charCodeAt(0));
    download(name, new Blob([content]));
  };
  return (
    <p className="row">
      <bdi className="breaking">{name}</bdi>
      <span className="muted small">{t.count(bytes, '{kind}, {count} byte', '{kind}, {count} bytes', { kind })}</span>
      {data !== null && <IconButton icon="download" label={t('Download {name}', { name })} onClick={save} />}
    </p>
  );
}
