// The library's normalisations, over rows, batches and groups, and their gradients.
#include "rows.h"

#include "twin/library.h"

#include <cmath>

namespace kgtwin {

namespace {

struct Moments {
    double mean = 0, variance = 0;
};
Moments momentsOf(const Row &row, uint64_t count)
{
    Moments found;
    found.mean = row.sum(count) / double(count);
    for (uint64_t i = 0; i < count; ++i) found.variance += (double(row[i]) - found.mean) * (double(row[i]) - found.mean);
    found.variance /= double(count);
    return found;
}

}

void normalise(const Local &dst, const Local *mean, const Local *deviation, const Local &src, const Local *gamma, const Local *beta, const Local *residual, float alpha, const Normalisation &how)
{
    issue(V);
    Row values, more, scale, shift;
    if (gamma) scale.read(*gamma, 0, how.columns);
    if (beta) shift.read(*beta, 0, how.columns);
    for (uint32_t row = 0; row < how.rows; ++row) {
        int64_t first = int64_t(row) * how.pitch;
        values.read(src, first, how.columns);
        if (residual) {
            more.read(*residual, first, how.columns);
            for (uint32_t i = 0; i < how.columns; ++i) values[i] = alpha * values[i] + more[i];
            values.unknown = values.unknown || more.unknown;
        }
        Moments found = momentsOf(values, how.columns);
        double reciprocal = 1 / std::sqrt(found.variance + double(how.epsilon));
        if (mean) writeNumber(*mean, row, found.mean, values.unknown);
        if (deviation) writeNumber(*deviation, row, how.reciprocal ? reciprocal : found.variance, values.unknown);
        for (uint32_t i = 0; i < how.columns; ++i)
            values[i] = float((double(values[i]) - found.mean) * reciprocal * (gamma ? double(scale[i]) : 1.0) + (beta ? double(shift[i]) : 0.0));
        values.unknown = values.unknown || scale.unknown || shift.unknown;
        values.write(dst, first, how.columns);
    }
}

void normaliseByGiven(const Local &dst, const Local &reciprocal, const Local &mean, const Local &variance, const Local &src, const Local *gamma, const Local *beta, const Normalisation &how)
{
    issue(V);
    Row values, scale, shift, means(mean, 0, how.rows), variances(variance, 0, how.rows);
    if (gamma) scale.read(*gamma, 0, how.columns);
    if (beta) shift.read(*beta, 0, how.columns);
    for (uint32_t row = 0; row < how.rows; ++row) {
        int64_t first = int64_t(row) * how.pitch;
        values.read(src, first, how.columns);
        auto factor = float(1 / std::sqrt(double(variances[row]) + double(how.epsilon)));
        writeNumber(reciprocal, row, double(factor), variances.unknown);
        for (uint32_t i = 0; i < how.columns; ++i) values[i] = (values[i] - means[row]) * factor * (gamma ? scale[i] : 1.0f) + (beta ? shift[i] : 0.0f);
        values.unknown = values.unknown || scale.unknown || shift.unknown || means.unknown || variances.unknown;
        values.write(dst, first, how.columns);
    }
}

void normaliseByRootMeanSquare(const Local &dst, const Local &src, const Local &gamma, const Normalisation &how)
{
    issue(V);
    Row values, scale(gamma, 0, how.columns);
    for (uint32_t row = 0; row < how.rows; ++row) {
        int64_t first = int64_t(row) * how.pitch;
        values.read(src, first, how.columns);
        double squares = 0;
        for (uint32_t i = 0; i < how.columns; ++i) squares += double(values[i]) * double(values[i]);
        double reciprocal = 1 / std::sqrt(squares / how.columns + double(how.epsilon));
        for (uint32_t i = 0; i < how.columns; ++i) values[i] = float(double(values[i]) * reciprocal * double(scale[i]));
        values.unknown = values.unknown || scale.unknown;
        values.write(dst, first, how.columns);
    }
}

/// Every feature over the batch; gamma and beta have a number for each member of the batch.
void normaliseOverBatch(const Local &dst, const Local &mean, const Local &variance, const Local &src, const Local &gamma, const Local &beta, uint32_t batch, uint32_t features, float epsilon)
{
    issue(V);
    Row values(src, 0, uint64_t(batch) * features), scale(gamma, 0, batch), shift(beta, 0, batch), column;
    bool unknown = values.unknown || scale.unknown || shift.unknown;
    column.resize(batch);
    for (uint32_t feature = 0; feature < features; ++feature) {
        for (uint32_t i = 0; i < batch; ++i) column[i] = values[uint64_t(i) * features + feature];
        Moments found = momentsOf(column, batch);
        double reciprocal = 1 / std::sqrt(found.variance + double(epsilon));
        writeNumber(mean, feature, found.mean, values.unknown);
        writeNumber(variance, feature, found.variance, values.unknown);
        for (uint32_t i = 0; i < batch; ++i)
            values[uint64_t(i) * features + feature] = float((double(column[i]) - found.mean) * reciprocal * double(scale[i]) + double(shift[i]));
    }
    values.unknown = unknown;
    values.write(dst, 0, uint64_t(batch) * features);
}

/// Groups of `channels` neighbouring channels of `length` elements, `pitch` apart.
void normaliseGroups(const Local &dst, const Local &mean, const Local &variance, const Local &src, const Local &gamma, const Local &beta, uint32_t samples, uint32_t groups, uint32_t channels, uint32_t length, uint32_t pitch, float epsilon)
{
    issue(V);
    Row scale(gamma, 0, uint64_t(groups) * channels), shift(beta, 0, uint64_t(groups) * channels), values, one;
    for (uint32_t group = 0; group < samples * groups; ++group) {
        values.resize(uint64_t(channels) * length);
        bool unknown = false;
        for (uint32_t channel = 0; channel < channels; ++channel) {
            one.read(src, (int64_t(group) * channels + channel) * pitch, length);
            unknown = unknown || one.unknown;
            for (uint32_t i = 0; i < length; ++i) values[uint64_t(channel) * length + i] = one[i];
        }
        Moments found = momentsOf(values, uint64_t(channels) * length);
        double reciprocal = 1 / std::sqrt(found.variance + double(epsilon));
        writeNumber(mean, group, found.mean, unknown);
        writeNumber(variance, group, found.variance, unknown);
        for (uint32_t channel = 0; channel < channels; ++channel) {
            uint64_t number = uint64_t(group % groups) * channels + channel;
            for (uint32_t i = 0; i < length; ++i)
                one[i] = float((double(values[uint64_t(channel) * length + i]) - found.mean) * reciprocal * double(scale[number]) + double(shift[number]));
            one.unknown = unknown || scale.unknown || shift.unknown;
            one.write(dst, (int64_t(group) * channels + channel) * pitch, length);
        }
    }
}

void normaliseGradient(const Local &dst, const Local &forGamma, const Local &gradient, const Local &src, const Local &variance, const Local &mean, const Local &gamma, const Normalisation &how)
{
    issue(V);
    Row x, dy, centred, scale(gamma, 0, how.columns), means(mean, 0, how.rows), variances(variance, 0, how.rows);
    double n = how.columns;
    for (uint32_t row = 0; row < how.rows; ++row) {
        int64_t first = int64_t(row) * how.pitch;
        x.read(src, first, how.columns);
        dy.read(gradient, first, how.columns);
        centred.resize(how.columns);
        double reciprocal = 1 / std::sqrt(double(variances[row]) + double(how.epsilon)), byVariance = 0, byMean = 0, off = 0;
        for (uint32_t i = 0; i < how.columns; ++i) {
            dy[i] *= scale[i];
            centred[i] = x[i] - means[row];
            byVariance += -0.5 * double(dy[i]) * double(centred[i]) * reciprocal * reciprocal * reciprocal;
            byMean -= double(dy[i]) * reciprocal;
            off -= 2 * double(centred[i]);
        }
        byMean += byVariance / n * off;
        for (uint32_t i = 0; i < how.columns; ++i) {
            dy[i] = float(double(dy[i]) * reciprocal + byVariance * 2 / n * double(centred[i]) + byMean / n);
            centred[i] = float(double(centred[i]) * reciprocal);
        }
        centred.unknown = x.unknown || means.unknown || variances.unknown;
        dy.unknown = dy.unknown || centred.unknown || scale.unknown;
        dy.write(dst, first, how.columns);
        centred.write(forGamma, first, how.columns);
    }
}

void normaliseGradientParameters(const Local &gamma, const Local &beta, const Local &forGamma, const Local &gradient, uint32_t rows, uint32_t pitch, uint32_t columns)
{
    issue(V);
    Row dy, factor, toGamma, toBeta;
    toGamma.resize(columns);
    toBeta.resize(columns);
    for (uint32_t row = 0; row < rows; ++row) {
        dy.read(gradient, int64_t(row) * pitch, columns);
        factor.read(forGamma, int64_t(row) * pitch, columns);
        for (uint32_t i = 0; i < columns; ++i) {
            toGamma[i] += dy[i] * factor[i];
            toBeta[i] += dy[i];
        }
        toBeta.unknown = toBeta.unknown || dy.unknown;
        toGamma.unknown = toGamma.unknown || dy.unknown || factor.unknown;
    }
    toGamma.write(gamma, 0, columns);
    toBeta.write(beta, 0, columns);
}

/// mean += (x - mean) * weight; variance += (x - the mean before) * (x - the mean after).
void welfordUpdate(const Local &mean, const Local &variance, const Local &meanBefore, const Local &varianceBefore, const Local &src, uint32_t length, uint32_t computed, float weight, bool inPlace)
{
    issue(V);
    uint32_t given = inPlace ? computed : length;
    Row means(meanBefore, 0, given), variances(varianceBefore, 0, given), x(src, 0, computed);
    for (uint32_t i = 0; i < computed; ++i) {
        float before = x[i] - means[i];
        means[i] += before * weight;
        variances[i] += before * (x[i] - means[i]);
    }
    means.unknown = means.unknown || x.unknown;
    variances.unknown = variances.unknown || means.unknown;
    means.write(mean, 0, given);
    variances.write(variance, 0, given);
}

/// Means and variances of parts, each of `counts` elements (`head` of the first, `tail` of the others), to one of both.
void welfordFinalize(const Local &mean, const Local &variance, const Local &means, const Local &variances, const Local *counts, uint32_t length, uint32_t headLength, float head, float tail, float reciprocal, float correction)
{
    issue(V);
    Row m(means, 0, length), v(variances, 0, length), weights;
    if (counts) weights.read(*counts, 0, length);
    else {
        weights.resize(length);
        for (uint32_t i = 0; i < length; ++i) weights[i] = i < headLength ? head : tail;
    }
    double sum = 0, spread = 0;
    for (uint32_t i = 0; i < length; ++i) sum += double(m[i]) * double(weights[i]);
    sum *= double(reciprocal);
    for (uint32_t i = 0; i < length; ++i) spread += double(v[i]) + double(weights[i]) * (double(m[i]) - sum) * (double(m[i]) - sum);
    writeNumber(mean, 0, sum, m.unknown || weights.unknown);
    writeNumber(variance, 0, spread * double(correction), m.unknown || v.unknown || weights.unknown);
}

}
