import { createElement, type ComponentType, type SVGProps } from 'react';

/** An icon that is drawn in the color of the text; `size` in px, 24 by default. Screen readers pass it over unless it has a label. */
export type IconType = ComponentType<SVGProps<SVGSVGElement> & { size?: number }>;

const FRAME = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/** Makes an icon of Lucide (https://lucide.dev, ISC license) from its parts. */
export function makeIcon(parts: readonly (readonly [tag: string, attributes: object])[]): IconType {
  const children = parts.map(([tag, attributes]) => createElement(tag, attributes));
  return function LucideIcon({ size = 24, ...rest }) {
    const hidden = rest['aria-label'] === undefined;
    return createElement(
      'svg',
      { ...FRAME, 'aria-hidden': hidden || undefined, width: size, height: size, ...rest },
      ...children,
    );
  };
}
