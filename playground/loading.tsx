import { Component, type ReactNode, Suspense } from 'react';

interface LoadingProps {
  readonly waiting: string;
  readonly failed: string;
  readonly children: ReactNode;
}

/** Says that a part of the page is loading, and what to do when it did not come. */
export class Loading extends Component<LoadingProps, { readonly isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError = () => ({ isFailed: true });

  override render() {
    const { waiting, failed, children } = this.props;
    if (this.state.isFailed)
      return (
        <p className="care-objection" role="alert">
          {failed}{' '}
          <button type="button" onClick={() => location.reload()}>
            Load again
          </button>
        </p>
      );
    return <Suspense fallback={<p className="care-notice">{waiting}</p>}>{children}</Suspense>;
  }
}
