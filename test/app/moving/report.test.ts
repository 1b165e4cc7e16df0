import { Report } from '../../../src/app/moving/report.js';

describe('A report of an import', () => {
  it('says of each reason how many places it does not list', () => {
    const report = new Report();
    const remark = { kind: 'post', outcome: 'refused' } as const;
    for (let i = 0; i < 103; i++) report.remark({ ...remark, at: `posts ${i}`, reason: 'a' });
    report.remark({ ...remark, at: 'posts 1', reason: 'b' });
    const { remarks, unlisted } = JSON.parse(JSON.stringify(report));
    expect([remarks.length, unlisted]).toStrictEqual([101, { 'post: a': 3 }]);
  });
});
