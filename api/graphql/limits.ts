// How deep a request may go. Cost is limited in builder.ts; size, aliases and directives in serve-graphql.ts.

import {
  getIntrospectionQuery,
  GraphQLError,
  Kind,
  parse,
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** Levels of fields; the contract's number. */
export const MAX_DEPTH = 10;

/**
 * A validation rule: at most MAX_DEPTH levels, and below __schema and __type at most what the standard
 * introspection query needs. (What introspection may cost in breadth is limited by graphql's own rule.)
 */
export function createDepthRule(): (context: ValidationContext) => ASTVisitor {
  const introspectionDepth = depthsOf(parse(getIntrospectionQuery())).introspection;
  return (context) => ({
    Document(document) {
      const { fields, introspection } = depthsOf(document);
      if (fields > MAX_DEPTH) {
        context.reportError(
          new GraphQLError(`The request is ${fields} levels deep; the limit is ${MAX_DEPTH}.`),
        );
      }
      if (introspection > introspectionDepth) {
        context.reportError(new GraphQLError('The introspection is deeper than the standard query.'));
      }
    },
  });
}

interface Depths {
  fields: number;
  introspection: number;
}

function depthsOf(document: DocumentNode): Depths {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const known = new Map<string, number>();
  const depths: Depths = { fields: 0, introspection: 0 };
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    measureRoot(node.selectionSet, fragments, known, depths, new Set());
  }
  return depths;
}

// Root fields are told apart here: what lies below __schema or __type is introspection.
function measureRoot(
  set: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  known: Map<string, number>,
  depths: Depths,
  inside: Set<string>,
): void {
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      const depth = 1 + (node.selectionSet ? depthOf(node.selectionSet, fragments, known) : 0);
      const kind = /^__(schema|type)$/.test(node.name.value) ? 'introspection' : 'fields';
      depths[kind] = Math.max(depths[kind], depth);
      continue;
    }
    const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : '';
    if (inside.has(name)) continue; // a cycle; graphql's own rule refuses it
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(name)?.selectionSet;
    const within = name === '' ? inside : new Set([...inside, name]);
    if (inner) measureRoot(inner, fragments, known, depths, within);
  }
}

// Each fragment is measured once, however often it is spread; one that is being measured counts as nothing.
function depthOf(
  set: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  known: Map<string, number>,
): number {
  let deepest = 0;
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      const below = node.selectionSet ? depthOf(node.selectionSet, fragments, known) : 0;
      deepest = Math.max(deepest, 1 + below);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      deepest = Math.max(deepest, depthOf(node.selectionSet, fragments, known));
    } else {
      const name = node.name.value;
      const fragment = fragments.get(name);
      if (fragment && !known.has(name)) {
        known.set(name, 0);
        known.set(name, depthOf(fragment.selectionSet, fragments, known));
      }
      deepest = Math.max(deepest, known.get(name) ?? 0);
    }
  }
  return deepest;
}
