/**
 * The planner: plain Java without a clock, threads, input and output.
 *
 * <p>The short names of sources in the comments of classes:
 * <ul>
 * <li>the paper on AEP: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation
 * Algorithms for Economic Scheduling in Distributed Computing" (2013);
 * <li>the paper on the cyclic scheme: V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev, "Methods and Heuristics
 * of Scheduling in Distributed Computing with Non-dedicated Resources" (2014);
 * <li>the paper on anticipation: V. Toporkov, D. Yemelyanov, A. Toporkova, "Anticipation Scheduling in Grid with
 * Stakeholders Preferences" (2017);
 * <li>the paper on migration: F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C. Barroso, "Analysis
 * of Scheduling Algorithms with Migration Strategies in Distributed Systems" (2014);
 * <li>S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids";
 * <li>A. Mu'alem, D. Feitelson, "Utilization, Predictability, Workloads, and User Runtime Estimates in Scheduling the
 * IBM SP2 with Backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001;
 * <li>D. Tsafrir, Y. Etsion, D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather than User Runtime
 * Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007.
 * </ul>
 */
@NullMarked
package io.slotwise.core;

import org.jspecify.annotations.NullMarked;
