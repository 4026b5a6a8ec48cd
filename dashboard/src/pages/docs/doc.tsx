// One document of docs/. Its HTML is made when the dashboard is built (dashboard/doc-pages.ts), from files of our own.

import { FileQuestionMark } from '../../gen/icons.ts';
import { useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';

import { DOCS } from '../../shell/help.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import './doc.css';

const FILES = import.meta.glob<string>('../../../../docs/*.md', { import: 'default' });

const BACK = { href: '/docs', label: 'Documentation' };

/** The page; a heading that the address names is scrolled to. */
export function DocPage(): ReactNode {
  const { name = '' } = useParams();
  const doc = DOCS.find((one) => one.name === name);
  if (doc) return <Doc key={name} {...doc} />;
  return (
    <>
      <PageHeader title="No such document" back={BACK} />
      <Card>
        <EmptyState icon={FileQuestionMark} title="No document with this name">
          Choose one from the list.
        </EmptyState>
      </Card>
    </>
  );
}

function Doc({ name, title }: (typeof DOCS)[number]): ReactNode {
  const [html, setHtml] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [, navigate] = useLocation();
  useEffect(() => {
    FILES[`../../../../docs/${name}.md`]?.().then(setHtml, setFailure);
  }, [name]);
  useEffect(() => {
    if (html !== null && location.hash !== '') scrollToAnchor();
  }, [html]);
  if (failure !== null) throw failure; // as of any page whose script does not come
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a[href^="/docs/"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(link.getAttribute('href') ?? '/docs');
  };
  return (
    <>
      <PageHeader title={title} back={BACK} />
      {html === null ? (
        <PageSkeleton />
      ) : (
        <Card>
          <div className="doc" onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />
        </Card>
      )}
    </>
  );
}

function scrollToAnchor(): void {
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
