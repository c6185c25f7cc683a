import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';

export interface Block {
  type: string;
  [member: string]: unknown;
}

export interface Delta {
  type: string;
  [member: string]: unknown;
}

export class BlockBuilder {
  private readonly blocks = new Map<number, Block>();
  private readonly json = new Map<number, string>();

  begin(index: number, block: Block): void {
    this.blocks.set(index, { ...block });
  }

  add(index: number, delta: Delta): void {
    const block = this.block(index);
    switch (delta.type) {
      case 'text_delta':
        block.text = textOf(block.text) + textOf(delta.text);
        break;
      case 'thinking_delta':
        block.thinking = textOf(block.thinking) + textOf(delta.thinking);
        break;
      case 'signature_delta':
        block.signature = textOf(delta.signature);
        break;
      case 'input_json_delta':
        this.json.set(index, (this.json.get(index) ?? '') + textOf(delta.partial_json));
        break;
      case 'citations_delta':
        this.citationsOf(block).push(delta.citation);
    }
  }

  /** Throws a TypeError if it has not begun. */
  block(index: number): Block {
    const block = this.blocks.get(index);
    if (!block) throw new TypeError('a part of a block that has not begun');
    return block;
  }

  argumentsOf(index: number): string {
    const input = this.block(index).input;
    return this.json.get(index) || JSON.stringify(input ?? {});
  }

  /** Omits blank texts, which the API refuses. Throws a SyntaxError for invalid input. */
  all(): ContentBlockParam[] {
    const whole = [...this.blocks]
      .sort(([one], [other]) => one - other)
      .map(([index, block]): Block => {
        const input = this.json.get(index);
        return input ? { ...block, input: JSON.parse(input) } : block;
      });
    return whole.filter(
      ({ type, text }) => type !== 'text' || textOf(text).trim() !== '',
    ) as unknown as ContentBlockParam[];
  }

  private citationsOf(block: Block): unknown[] {
    if (!Array.isArray(block.citations)) block.citations = [];
    return block.citations as unknown[];
  }
}

/** Throws a TypeError for any other value. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}
