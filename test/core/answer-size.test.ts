import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { jsonWithin, lengthOf, passes } from '../../src/platform/http/answer-size.js';

describe('The size of an answer', () => {
  it('is never more than its JSON has, so that nothing is refused that fits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.ok(lengthOf(value) <= JSON.stringify(value).length);
      }),
    );
  });

  it('is known without making what is too large', () => {
    const text = 'x'.repeat(1024 * 1024);
    const many = Array.from({ length: 10_000 }, () => ({ text }));
    assert.ok(passes(many), 'ten gigabytes');
    assert.equal(jsonWithin(many), undefined);
  });

  it('counts bytes of UTF-8, escapes included', () => {
    assert.equal(jsonWithin('äää', 8), '"äää"');
    assert.equal(jsonWithin('äää', 7), undefined);
    assert.equal(jsonWithin('"""', 7), undefined);
  });
});
