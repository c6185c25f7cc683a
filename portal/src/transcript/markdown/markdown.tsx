import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { t } from '../../language/index.ts';
import { LongText } from '../long-text.tsx';
import { TitledCode } from '../titled-code.tsx';
import { type MarkdownNode, parseMarkdown, textOf } from './syntax.ts';

/** How elements of a text of our own differ from those of others' texts. */
export interface MarkdownRules {
  heading(level: number, children: ReactNode, text: string): ReactNode;
  /** Undefined for an address that is linked to as any other. */
  link(address: string, children: ReactNode): ReactNode | undefined;
}

interface MarkdownProps {
  text: string;
  rules?: MarkdownRules;
  /** The language of the text, if it is known to be another than that of the page. */
  language?: string;
}

/** A text in Markdown as elements; as it is, if it is too long or too nested for that. HTML and other schemes are text. */
export function Markdown({ text, rules, language }: MarkdownProps) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  if (nodes === null) return <LongText text={text} />;
  return (
    <div className="markdown" dir="auto" lang={language}>
      {nodes.map((node, index) => elementOf(node, index, rules))}
    </div>
  );
}

/** Each of these may be written in another direction than the text around it. */
const WITH_DIRECTION = new Set(['p', 'li', 'blockquote', 'th', 'td']);

function elementOf(node: MarkdownNode, index: number, rules: MarkdownRules | undefined): ReactNode {
  if (typeof node === 'string') return <Fragment key={index}>{node}</Fragment>;
  if (node.tag === 'codeBlock') return <TitledCode key={index} text={node.text} title={node.language ?? t('Code')} />;
  if (node.tag === 'picture') return <img key={index} className="sent-picture" src={node.source} alt={node.label} />;
  const children = node.children.map((child, place) => elementOf(child, place, rules));
  switch (node.tag) {
    case 'heading':
      if (rules) return <Fragment key={index}>{rules.heading(node.level, children, textOf(node.children))}</Fragment>;
      // The headings of an answer are not those of the page.
      return (
        <p key={index} dir="auto" className={`markdown-heading level-${node.level}`}>
          {children}
        </p>
      );
    case 'link': {
      const own = rules?.link(node.address, children);
      if (own !== undefined) return <Fragment key={index}>{own}</Fragment>;
      return (
        <Fragment key={index}>
          <a href={node.address} target="_blank" rel="noopener noreferrer">
            <bdi>{children}</bdi>
          </a>
          {node.shown !== null && <bdi className="muted small"> ({node.shown})</bdi>}
        </Fragment>
      );
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/useSemanticElements: not a group of fields, and not a landmark
        <div key={index} className="scroll" role="group" aria-label={t('Table')} tabIndex={0}>
          <table className="table">{children}</table>
        </div>
      );
    default: {
      const { tag, start, align } = node;
      const direction = WITH_DIRECTION.has(tag) ? 'auto' : undefined;
      return createElement(
        tag,
        { key: index, start, dir: direction, className: align && `align-${align}` },
        ...children,
      );
    }
  }
}
