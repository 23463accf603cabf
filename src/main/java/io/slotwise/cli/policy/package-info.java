/** The commands about policies: {@link io.slotwise.cli.policy.PolicyCommand}. */
@NullMarked
package io.slotwise.cli.policy;

import org.jspecify.annotations.NullMarked;
